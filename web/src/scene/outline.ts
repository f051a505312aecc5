/**
 * Outline: a line of constant width round selected bodies. Each mesh is drawn once more, inside out and a little
 * larger, so that only its rim shows.
 */

import {
  BackSide,
  BufferAttribute,
  type BufferGeometry,
  Color,
  type IUniform,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  ShaderMaterial,
  Vector2,
} from "three";
import { BODY_LAYER } from "./contact-shadow";

/** Only the main camera sees this layer: the close one may stand inside a body, and would see nothing but its rim. */
export const RIM_LAYER = 4;

const VERTEX = /* glsl */ `
uniform vec2 uPicture;
uniform float uWidth;
attribute vec3 rim;
void main() {
  vec4 clip = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec3 away = normalize(normalMatrix * rim);
  vec2 across = normalize((projectionMatrix * vec4(away, 0.0)).xy + vec2(1e-6));
  clip.xy += across * uWidth * 2.0 / uPicture * clip.w;
  gl_Position = clip;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 uColor;
void main() {
  gl_FragColor = vec4(uColor, 1.0);
  #include <colorspace_fragment>
}`;

export class Outline {
  readonly #material: ShaderMaterial;
  /** Unseen, but hides the rim behind a body that is looked through: only the edge of glass is outlined, too. */
  readonly #veil = new MeshBasicMaterial({ colorWrite: false, transparent: true });
  readonly #rims: Mesh[] = [];
  readonly #picture: IUniform<Vector2> = { value: new Vector2(1, 1) };
  readonly #color: IUniform<Color>;

  constructor(color: string, widthPx = 2.5) {
    this.#color = { value: new Color(color) };
    this.#material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: BackSide,
      uniforms: { uPicture: this.#picture, uColor: this.#color, uWidth: { value: widthPx } },
      toneMapped: false,
      // Among what is drawn last, after the veils.
      transparent: true,
    });
  }

  setColor(color: string): void {
    this.#color.value.set(color);
  }

  /** The size of the picture in CSS pixels. */
  setPicture(width: number, height: number): void {
    this.#picture.value.set(width, height);
  }

  /** Outline everything below these nodes, and nothing else; "link": without the links that hang on them. */
  show(nodes: readonly Object3D[], only: "all" | "link" = "all"): void {
    this.clear();
    const found: Mesh[] = [];
    for (const node of nodes) collect(node, only, found);
    for (const mesh of found) {
      prepare(mesh.geometry);
      for (const [material, order] of [
        [this.#veil, 4],
        [this.#material, 5],
      ] as const) {
        const rim = new Mesh(mesh.geometry, material);
        rim.matrixAutoUpdate = false;
        rim.raycast = () => undefined;
        rim.layers.set(RIM_LAYER);
        rim.renderOrder = order;
        mesh.add(rim);
        this.#rims.push(rim);
      }
    }
  }

  clear(): void {
    for (const rim of this.#rims) rim.removeFromParent();
    this.#rims.length = 0;
  }

  dispose(): void {
    this.clear();
    this.#material.dispose();
    this.#veil.dispose();
  }
}

function collect(node: Object3D, only: "all" | "link", found: Mesh[]): void {
  if (node instanceof Mesh && !(node.material instanceof ShaderMaterial)) {
    const mesh = node as Mesh;
    if (mesh.layers.isEnabled(BODY_LAYER) || node.parent?.userData["object"] !== undefined) found.push(mesh);
  }
  for (const child of node.children) {
    if (only === "link" && child.type === "URDFJoint") continue;
    collect(child, only, found);
  }
}

/** Larger bodies have smooth sides anyway, and would take long. */
const MOST_CORNERS = 6000;

/** Give corners one direction outwards, whatever sides meet there: the rim has no gaps then. */
function prepare(geometry: BufferGeometry): void {
  if (geometry.hasAttribute("rim")) return;
  const position = geometry.getAttribute("position");
  const normal = geometry.getAttribute("normal");
  if (position.count > MOST_CORNERS) {
    geometry.setAttribute("rim", normal);
    return;
  }
  const sums = new Map<string, [number, number, number]>();
  const keys: string[] = [];
  for (let i = 0; i < position.count; i++) {
    const key = [position.getX(i), position.getY(i), position.getZ(i)].map((v) => Math.round(v * 1e5)).join();
    const sum = sums.get(key) ?? [0, 0, 0];
    sum[0] += normal.getX(i);
    sum[1] += normal.getY(i);
    sum[2] += normal.getZ(i);
    sums.set(key, sum);
    keys.push(key);
  }
  const rim = new BufferAttribute(new Float32Array(3 * position.count), 3);
  keys.forEach((key, i) => {
    const [x, y, z] = sums.get(key) ?? [0, 0, 1];
    const length = Math.hypot(x, y, z) || 1;
    rim.setXYZ(i, x / length, y / length, z / length);
  });
  geometry.setAttribute("rim", rim);
}
