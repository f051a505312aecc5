/** CellObjects: the things that stand in a cell. Follows the document; what has not changed is not made anew. */

import { Mesh, type MeshStandardMaterial, Object3D } from "three";
import { compose, IDENTITY, WORLD } from "../state/cell-geometry";
import type { Pose } from "../wire/generated";
import type { Cell, CellObject } from "../wire/studio";
import { discard } from "./discard";
import { setPose } from "./place";
import { loadMesh, makeBody, makeGeometry, makeMaterial } from "./solid";

interface Shown {
  item: CellObject;
  readonly node: Object3D;
  readonly material: MeshStandardMaterial;
}

export class CellObjects {
  readonly node = new Object3D();
  readonly #shown = new Map<string, Shown>();
  #frames: ReadonlyMap<string, Pose> = new Map();

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
      if (item === undefined || looks(item) !== looks(shown.item)) this.#drop(name, shown);
    }
    for (const [name, item] of wanted) {
      const shown = this.#shown.get(name) ?? this.#make(item);
      shown.item = item;
      shown.node.visible = item.visible ?? true;
      this.place(name, null);
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

  /** The object that a mesh belongs to. */
  nameOf(object: Object3D): string | undefined {
    for (let node: Object3D | null = object; node !== null; node = node.parent) {
      const name: unknown = node.userData["object"];
      if (typeof name === "string") return name;
    }
    return undefined;
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
    const shown: Shown = { item, node, material };
    this.#shown.set(item.name, shown);
    this.node.add(node);
    const { shape } = item;
    const geometry = makeGeometry(shape);
    if (geometry !== null) {
      node.add(makeBody(geometry, material));
    } else if (shape.type === "mesh") {
      const address = `/api/projects/${encodeURIComponent(this.project)}/${shape.file.split("/").map(encodeURIComponent).join("/")}`;
      loadMesh(address, shape, material).then(
        (mesh) => {
          if (this.#shown.get(item.name) !== shown) {
            discard(mesh);
            return;
          }
          node.add(mesh);
          this.changed();
        },
        () => this.complain(`The mesh ${shape.file} of ${item.name} could not be shown.`),
      );
    }
    return shown;
  }

  #drop(name: string, { node, material }: Shown): void {
    this.#shown.delete(name);
    for (const child of [...node.children]) if (child instanceof Mesh) child.clear();
    discard(node);
    material.dispose();
  }
}

/** What of an object decides how it looks. */
function looks({ shape, color, opacity }: CellObject): string {
  return JSON.stringify([shape, color, opacity]);
}
