/**
 * Outline: a line of constant width round selected bodies. Each mesh is drawn once more, inside out and a little
 * larger, so that only its rim shows.
 */

import { BackSide, Color, type IUniform, Mesh, type Object3D, ShaderMaterial, Vector2 } from "three";
import { BODY_LAYER } from "./contact-shadow";

const VERTEX = /* glsl */ `
uniform vec2 uPicture;
uniform float uWidth;
void main() {
  vec4 clip = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec3 away = normalize(normalMatrix * normal);
  vec2 across = normalize((projectionMatrix * vec4(away, 0.0)).xy + vec2(1e-6));
  clip.xy += across * uWidth * 2.0 / uPicture * clip.w;
  gl_Position = clip;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 uColor;
void main() { gl_FragColor = vec4(uColor, 1.0); }`;

export class Outline {
  readonly #material: ShaderMaterial;
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
      const rim = new Mesh(mesh.geometry, this.#material);
      rim.matrixAutoUpdate = false;
      rim.raycast = () => undefined;
      mesh.add(rim);
      this.#rims.push(rim);
    }
  }

  clear(): void {
    for (const rim of this.#rims) rim.removeFromParent();
    this.#rims.length = 0;
  }

  dispose(): void {
    this.clear();
    this.#material.dispose();
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
