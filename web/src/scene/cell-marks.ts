/** CellMarks: frames and points of a cell, as small axes of constant size. */

import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  type Raycaster,
  SphereGeometry,
  type Sprite,
} from "three";
import { compose, IDENTITY, WORLD } from "../state/shared/cell-geometry";
import type { Pose } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { discard } from "./discard";
import { makeLabel } from "./labels";
import { setPose } from "./place";

const COLOURS = ["#e5484d", "#2f9e62", "#3b82f6"] as const;
const POINT_M = 0.03;
const FRAME_M = 0.09;

export class CellMarks {
  readonly node = new Object3D();
  readonly #axes = makeAxes();
  readonly #lines = new LineBasicMaterial({ vertexColors: true, toneMapped: false });
  readonly #ball = new SphereGeometry(0.007, 16, 12);
  readonly #plain = new MeshBasicMaterial({ color: "#9aa7b6", toneMapped: false });
  readonly #chosen = new MeshBasicMaterial({ color: "#4d90fb", toneMapped: false });
  readonly #marks = new Map<
    string,
    { readonly node: Object3D; readonly ball: Mesh; readonly frame: boolean }
  >();
  #label: Sprite | null = null;
  #frames = true;

  /** Show the frames and points of a cell. */
  update(cell: Cell, frames: ReadonlyMap<string, Pose>): void {
    const wanted = new Map<string, { readonly pose: Pose; readonly frame: boolean }>();
    for (const { name } of cell.frames ?? [])
      wanted.set(name, { pose: frames.get(name) ?? IDENTITY, frame: true });
    for (const { name, pose, frame } of cell.points ?? []) {
      const base = frames.get(frame ?? WORLD);
      if (base !== undefined) wanted.set(name, { pose: compose(base, pose), frame: false });
    }
    for (const [name, mark] of this.#marks) {
      if (wanted.get(name)?.frame === mark.frame) continue;
      mark.node.removeFromParent();
      this.#marks.delete(name);
    }
    for (const [name, { pose, frame }] of wanted) {
      const mark = this.#marks.get(name) ?? this.#make(name, frame);
      setPose(mark.node, pose);
      mark.node.visible = !frame || this.#frames;
    }
  }

  get(name: string): Object3D | undefined {
    return this.#marks.get(name)?.node;
  }

  showFrames(shown: boolean): void {
    this.#frames = shown;
    for (const { node, frame } of this.#marks.values()) if (frame) node.visible = shown;
  }

  select(names: readonly string[]): void {
    for (const [name, { ball }] of this.#marks)
      ball.material = names.includes(name) ? this.#chosen : this.#plain;
  }

  /** Write the name of the mark under the pointer beside it; null: none. */
  hover(name: string | null): void {
    if (this.#label !== null) discard(this.#label);
    this.#label = null;
    const mark = name === null ? undefined : this.#marks.get(name);
    if (mark === undefined || name === null) return;
    this.#label = makeLabel(name);
    this.#label.raycast = () => undefined;
    mark.node.add(this.#label);
  }

  /** The mark under a ray that is nearer than `within`. */
  pick(ray: Raycaster, within: number): string | null {
    for (const { distance, object } of ray.intersectObjects(
      [...this.#marks.values()].map(({ ball }) => ball),
      false,
    )) {
      const name: unknown = object.userData["mark"];
      if (typeof name === "string" && object.parent?.visible === true && distance < within) return name;
    }
    return null;
  }

  dispose(): void {
    this.hover(null);
    this.node.removeFromParent();
    this.#axes.dispose();
    this.#ball.dispose();
    for (const material of [this.#lines, this.#plain, this.#chosen]) material.dispose();
  }

  #make(
    name: string,
    frame: boolean,
  ): { readonly node: Object3D; readonly ball: Mesh; readonly frame: boolean } {
    const node = new Object3D();
    const axes = new LineSegments(this.#axes, this.#lines);
    axes.scale.setScalar(frame ? FRAME_M : POINT_M);
    const ball = new Mesh(this.#ball, this.#plain);
    ball.userData["mark"] = name;
    node.add(axes, ball);
    this.node.add(node);
    const mark = { node, ball, frame };
    this.#marks.set(name, mark);
    return mark;
  }
}

/** Three lines of length one along x, y and z in their colours. */
function makeAxes(): BufferGeometry {
  const geometry = new BufferGeometry();
  const points: number[] = [];
  const colours: number[] = [];
  COLOURS.forEach((name, i) => {
    points.push(0, 0, 0, i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0);
    const { r, g, b } = new Color(name);
    colours.push(r, g, b, r, g, b);
  });
  geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
  return geometry;
}
