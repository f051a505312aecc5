/** CellObjects: the things that stand in a cell. Follows the document; what has not changed is not rebuilt. */

import { Mesh, type MeshStandardMaterial, Object3D } from "three";
import { compose, IDENTITY, WORLD } from "../state/shared/cell-geometry";
import { t } from "../state/texts";
import type { Pose } from "../wire/generated";
import type { Cell, CellObject } from "../wire/studio";
import { BODY_LAYER } from "./contact-shadow";
import { discard } from "./discard";
import { setPose } from "./place";
import { loadMesh, makeBody, makeGeometry, makeMaterial } from "./solid";
import { XRay, XRAY_OPACITY } from "./x-ray";

interface Shown {
  item: CellObject;
  readonly node: Object3D;
  readonly material: MeshStandardMaterial;
  /** True for the ground: the grid and the shadows are seen on it. */
  ground: boolean;
  faded: boolean;
}

/** How much is seen of what stands before the robots. */
const FADED = 0.1;

export class CellObjects {
  readonly node = new Object3D();
  readonly #shown = new Map<string, Shown>();
  #frames: ReadonlyMap<string, Pose> = new Map();
  #groundOpacity = 0.1;
  #xray = false;
  /** Of meshes that bring their own materials. */
  readonly #own = new XRay();

  constructor(
    private readonly project: string,
    /** Something looks different now. */
    private readonly changed: () => void,
    private readonly complain: (message: string) => void,
  ) {}

  /** Show the objects of a cell, with its frames in the world. */
  update(cell: Cell, frames: ReadonlyMap<string, Pose>): void {
    this.#frames = frames;
    const wanted = new Map((cell.objects ?? []).map((item) => [item.name, item]));
    for (const [name, shown] of this.#shown) {
      const item = wanted.get(name);
      if (item === undefined || !looksSame(item, shown.item)) this.#drop(name, shown);
    }
    for (const [name, item] of wanted) {
      const shown = this.#shown.get(name) ?? this.#make(item);
      shown.item = item;
      shown.node.visible = item.visible ?? true;
      this.place(name, null);
      this.#groundAgain(shown);
    }
    this.changed();
  }

  /** Put a thing somewhere else than the document says (a drag, a run); null: back to where it says. */
  place(name: string, world: Pose | null): void {
    const shown = this.#shown.get(name);
    if (shown === undefined) return;
    if (world !== null) {
      setPose(shown.node, world);
      return;
    }
    const frame = this.#frames.get(shown.item.frame ?? WORLD) ?? IDENTITY;
    setPose(shown.node, compose(frame, shown.item.pose ?? IDENTITY));
  }

  get(name: string): Object3D | undefined {
    return this.#shown.get(name)?.node;
  }

  /** All that can be seen, with what the document says of it. */
  *visible(): Generator<readonly [CellObject, Object3D]> {
    for (const { item, node } of this.#shown.values()) if (node.visible) yield [item, node];
  }

  isGround(name: string): boolean {
    return this.#shown.get(name)?.ground === true;
  }

  /** The object that a mesh belongs to. */
  nameOf(object: Object3D): string | undefined {
    for (let node: Object3D | null = object; node !== null; node = node.parent) {
      const name: unknown = node.userData["object"];
      if (typeof name === "string") return name;
    }
    return undefined;
  }

  isFaded(name: string): boolean {
    return this.#shown.get(name)?.faded === true;
  }

  /** Let what stands before the robots be seen through; return whether that changed anything. */
  fade(name: string, faded: boolean): boolean {
    const shown = this.#shown.get(name);
    if (shown === undefined || shown.faded === faded || shown.ground) return false;
    shown.faded = faded;
    this.#tint(shown);
    return true;
  }

  /** Let everything but the ground be seen through. */
  setXray(on: boolean): void {
    this.#xray = on;
    this.#own.hide();
    for (const shown of this.#shown.values()) {
      this.#tint(shown);
      if (on) this.#own.show(shown.node, shown.material);
    }
  }

  setTheme(dark: boolean): void {
    this.#groundOpacity = dark ? 0.07 : 0.5;
    for (const shown of this.#shown.values()) if (shown.ground) this.#tint(shown);
  }

  dispose(): void {
    for (const [name, shown] of this.#shown) this.#drop(name, shown);
    this.node.removeFromParent();
  }

  #make(item: CellObject): Shown {
    const material = makeMaterial(item.color ?? "#b9bec6", item.opacity ?? 1);
    const node = new Object3D();
    node.name = item.name;
    node.userData["object"] = item.name;
    const shown: Shown = { item, node, material, ground: false, faded: false };
    this.#shown.set(item.name, shown);
    this.node.add(node);
    this.#tint(shown);
    const { shape } = item;
    const geometry = makeGeometry(shape);
    if (geometry !== null) {
      node.add(makeBody(geometry, material));
    } else if (shape.type === "mesh") {
      loadMesh(this.project, shape, material).then(
        (mesh) => {
          if (this.#shown.get(item.name) !== shown) {
            discard(mesh);
            return;
          }
          node.add(mesh);
          if (this.#xray) this.#own.show(mesh, material);
          this.changed();
        },
        () => this.complain(t("view.meshFailed", { file: shape.file, name: item.name })),
      );
    }
    return shown;
  }

  /** What lies flat at the height of the floor is the floor. */
  #groundAgain(shown: Shown): void {
    const { shape } = shown.item;
    const { position, quaternion } = shown.node;
    const top = shape.type === "box" ? position.z + shape.size[2] / 2 : NaN;
    const upright = Math.hypot(quaternion.x, quaternion.y) < 1e-6;
    const wide = shape.type === "box" && Math.min(shape.size[0], shape.size[1]) > 1;
    const ground = wide && upright && Math.abs(top) < 0.003;
    if (ground === shown.ground) return;
    shown.ground = ground;
    this.#tint(shown);
    for (const child of shown.node.children) {
      if (ground) child.layers.disable(BODY_LAYER);
      else child.layers.enable(BODY_LAYER);
      child.castShadow = !ground;
      child.receiveShadow = !ground;
      child.renderOrder = ground ? -4 : 0;
    }
  }

  #tint({ item, material, ground, faded }: Shown): void {
    const most = this.#xray ? XRAY_OPACITY : 1;
    const opacity = ground ? this.#groundOpacity : faded ? FADED : Math.min(most, item.opacity ?? 1);
    material.opacity = opacity;
    material.depthWrite = opacity >= 0.5 && !ground;
    const transparent = opacity < 1;
    if (material.transparent === transparent) return;
    material.transparent = transparent;
    material.needsUpdate = true;
  }

  #drop(name: string, { node, material }: Shown): void {
    this.#shown.delete(name);
    for (const child of [...node.children]) if (child instanceof Mesh) child.clear();
    discard(node);
    material.dispose();
  }
}

function looksSame(a: CellObject, b: CellObject): boolean {
  if (a === b) return true;
  if (a.color !== b.color || a.opacity !== b.opacity) return false;
  return a.shape === b.shape || JSON.stringify(a.shape) === JSON.stringify(b.shape);
}
