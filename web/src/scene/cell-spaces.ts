/** CellSpaces: where tools may be and where not, as translucent boxes with edges. Seen, never hit by the pointer. */

import {
  BoxGeometry,
  EdgesGeometry,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Object3D,
} from "three";
import { compose, IDENTITY, WORLD } from "../state/shared/cell-geometry";
import type { Pose } from "../wire/generated";
import type { Cell, CellSpace } from "../wire/studio";
import { setPose } from "./place";

type Kind = CellSpace["kind"];

const COLOURS: Readonly<Record<Kind, string>> = { allowed: "#2f9e62", forbidden: "#e5484d" };
const FILL = { plain: 0.06, chosen: 0.16 } as const;

interface Shown {
  readonly node: Object3D;
  readonly fill: Mesh;
  readonly edges: LineSegments;
}

interface Look {
  readonly plain: MeshBasicMaterial;
  readonly chosen: MeshBasicMaterial;
  readonly line: LineBasicMaterial;
}

export class CellSpaces {
  readonly node = new Object3D();
  readonly #box = new BoxGeometry(1, 1, 1);
  readonly #edges = new EdgesGeometry(this.#box);
  readonly #looks: Readonly<Record<Kind, Look>> = {
    allowed: makeLook("allowed"),
    forbidden: makeLook("forbidden"),
  };
  readonly #shown = new Map<string, Shown>();
  #kinds: ReadonlyMap<string, Kind> = new Map();
  #chosen: readonly string[] = [];

  /** Show the spaces of a cell, with its frames in the world. */
  update(cell: Cell, frames: ReadonlyMap<string, Pose>): void {
    const wanted = new Map((cell.spaces ?? []).map((space) => [space.name, space]));
    for (const [name, { node }] of this.#shown) {
      if (wanted.has(name)) continue;
      node.removeFromParent();
      this.#shown.delete(name);
    }
    for (const [name, space] of wanted) {
      const shown = this.#shown.get(name) ?? this.#make(name);
      const frame = frames.get(space.frame ?? WORLD);
      shown.node.visible = frame !== undefined;
      setPose(shown.node, compose(frame ?? IDENTITY, space.pose ?? IDENTITY));
      shown.fill.scale.set(...space.size);
      shown.edges.scale.set(...space.size);
    }
    this.#kinds = new Map([...wanted].map(([name, { kind }]) => [name, kind]));
    this.select(this.#chosen);
  }

  get(name: string): Object3D | undefined {
    return this.#shown.get(name)?.node;
  }

  /** Show which are selected. */
  select(names: readonly string[]): void {
    this.#chosen = names;
    for (const [name, { fill, edges }] of this.#shown) {
      const look = this.#looks[this.#kinds.get(name) ?? "forbidden"];
      fill.material = names.includes(name) ? look.chosen : look.plain;
      edges.material = look.line;
    }
  }

  dispose(): void {
    this.node.removeFromParent();
    this.#box.dispose();
    this.#edges.dispose();
    for (const { plain, chosen, line } of Object.values(this.#looks))
      for (const material of [plain, chosen, line]) material.dispose();
  }

  #make(name: string): Shown {
    const node = new Object3D();
    node.name = name;
    const fill = new Mesh(this.#box);
    const edges = new LineSegments(this.#edges);
    // Who looks through a box points at what is in it.
    fill.raycast = () => undefined;
    edges.raycast = () => undefined;
    fill.renderOrder = 2;
    node.add(fill, edges);
    this.node.add(node);
    const shown: Shown = { node, fill, edges };
    this.#shown.set(name, shown);
    return shown;
  }
}

function makeLook(kind: Kind): Look {
  const color = COLOURS[kind];
  const fill = (opacity: number): MeshBasicMaterial =>
    new MeshBasicMaterial({ color, opacity, transparent: true, depthWrite: false, toneMapped: false });
  return {
    plain: fill(FILL.plain),
    chosen: fill(FILL.chosen),
    line: new LineBasicMaterial({ color, transparent: true, opacity: 0.7, toneMapped: false }),
  };
}
