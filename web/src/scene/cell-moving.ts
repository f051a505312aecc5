/** CellMoving: what is selected is dragged by the handle; all of it together, as one edit. */

import { Box3, Matrix4, type Object3D, Quaternion, Vector3 } from "three";
import {
  compose,
  frameOf,
  framesOf,
  IDENTITY,
  invert,
  poseInFrame,
  poseInWorld,
} from "../state/shared/cell-geometry";
import type { Project } from "../state/shared/project";
import { alignTo, axesOf, type Bounds, restOn } from "../state/build/snap";
import { Store } from "../state/shared/store";
import type { StudioView } from "../state/shared/studio-view";
import { t } from "../state/texts";
import type { Pose } from "../wire/generated";
import type { Cell, Command } from "../wire/studio";
import { readPose } from "./place";
import type { ToolHandle } from "./tool-handle";

export interface CellMovingParts {
  readonly project: Project;
  readonly view: StudioView;
  /** Show the cell as it would be; null: as it is. */
  readonly preview: (cell: Cell | null) => void;
  readonly nodeOf: (name: string) => Object3D | undefined;
  /** Everything that a dragged thing can lie on or line up with. */
  readonly solids: () => Iterable<readonly [string, Object3D]>;
  /** Where the pointer meets something that is not dragged, in the cell's world. */
  readonly under: (dragged: readonly string[]) => Vector3 | null;
  /** How long a pixel is at the handle, metres. */
  readonly pixel: () => number;
}

/** A neighbour that is nearer than this on the screen pulls. */
const PULL_PX = 8;

export class CellMoving {
  /** What the dragged things lie on or are in line with. */
  readonly alignedWith = new Store<readonly string[]>([]);
  #start: ReadonlyMap<string, Pose> = new Map();
  #startHandle: Pose = IDENTITY;
  #own: Bounds | null = null;
  #others: readonly Bounds[] = [];
  #moved: Cell | null = null;
  readonly #T = new Matrix4();
  readonly #position = new Vector3();
  readonly #turn = new Quaternion();
  readonly #box = new Box3();

  constructor(
    private readonly handle: ToolHandle,
    private readonly parts: CellMovingParts,
  ) {}

  /** What the handle moves: what is selected and stands somewhere, without what goes along with another of them. */
  get names(): readonly string[] {
    const { project, view } = this.parts;
    const cell = project.cell.value;
    const locked = view.locked.value;
    const chosen = project.selection.value.filter(
      (name) => frameOf(cell, name) !== undefined && !locked.includes(name),
    );
    return chosen.filter((name) => !isCarried(cell, name, chosen));
  }

  /** Put the handle onto what it moves; return whether there is anything. */
  placeHandle(cell: Cell): boolean {
    const poses = this.names.map((name) => poseInWorld(cell, name)).filter((pose) => pose !== undefined);
    const [first] = poses;
    if (first === undefined) return false;
    this.#position.set(0, 0, 0);
    for (const { xyz } of poses) {
      this.#position.x += xyz[0] / poses.length;
      this.#position.y += xyz[1] / poses.length;
      this.#position.z += xyz[2] / poses.length;
    }
    const { wxyz } = poses.length === 1 ? first : IDENTITY;
    this.#turn.set(wxyz[1], wxyz[2], wxyz[3], wxyz[0]);
    this.#T.makeRotationFromQuaternion(this.#turn).setPosition(this.#position);
    this.handle.place(this.#T);
    return true;
  }

  start(): void {
    const { project, solids, nodeOf } = this.parts;
    const cell = project.cell.value;
    const names = this.names;
    const start = new Map<string, Pose>();
    for (const name of names) {
      const pose = poseInWorld(cell, name);
      if (pose !== undefined) start.set(name, pose);
    }
    this.#start = start;
    this.#startHandle = readPose(this.#T);
    const own = names.map((name) => nodeOf(name)).filter((node) => node !== undefined);
    this.#own = own.length === 0 ? null : this.#boundsOf("", own);
    const others: Bounds[] = [];
    for (const [name, node] of solids())
      if (!names.includes(name) && !isCarried(cell, name, names)) others.push(this.#boundsOf(name, [node]));
    this.#others = others;
    this.#moved = null;
  }

  drag(T_world_wish: Matrix4): void {
    const D = compose(readPose(this.#snapped(T_world_wish)), invert(this.#startHandle));
    const cell = this.parts.project.cell.value;
    const poses = new Map<string, Pose>();
    for (const [name, pose] of this.#start) poses.set(name, compose(D, pose));
    this.#moved = withPoses(cell, poses);
    this.parts.preview(this.#moved);
  }

  /** Make what was dragged an edit. */
  async drop(): Promise<void> {
    const moved = this.#moved;
    this.#finish();
    if (moved === null) return;
    await this.#commit(moved, [...this.#start.keys()]);
  }

  cancel(): void {
    this.#finish();
    this.parts.preview(null);
  }

  /** Lay what is selected onto what is below it. */
  async dropDown(): Promise<void> {
    const cell = this.parts.project.cell.value;
    this.start();
    const poses = new Map<string, Pose>();
    for (const [name, pose] of this.#start) {
      const node = this.parts.nodeOf(name);
      if (node === undefined) continue;
      const { by } = restOn(this.#boundsOf(name, [node]), this.#others);
      poses.set(name, { xyz: [pose.xyz[0], pose.xyz[1], pose.xyz[2] + by[2]], wxyz: pose.wxyz });
    }
    if (poses.size > 0) await this.#commit(withPoses(cell, poses), [...poses.keys()]);
  }

  #finish(): void {
    this.#moved = null;
    this.alignedWith.set([]);
  }

  async #commit(moved: Cell, names: readonly string[]): Promise<void> {
    const { project } = this.parts;
    const commands = names.flatMap((name): Command[] => {
      const pose = ownPose(moved, name);
      return pose === undefined ? [] : [{ do: "move", name, pose }];
    });
    const [only] = commands;
    if (only === undefined) return;
    const command: Command =
      commands.length === 1
        ? only
        : { do: "batch", commands, title: t("view.moveTitle", { count: commands.length }) };
    const done = await project.edit({ edit: "cell", command });
    if (!done) this.parts.preview(null);
  }

  /** Where a thing is dragged to, or near it where something pulls. */
  #snapped(T_world_wish: Matrix4): Matrix4 {
    const { view, under, pixel } = this.parts;
    const own = this.#own;
    this.#T.copy(T_world_wish);
    if (!view.snap.value || own === null || view.mode.value !== "move") return this.#T;
    const part = this.handle.touched;
    this.#position.setFromMatrixPosition(this.#T);
    const start = this.#startHandle.xyz;
    const shift = [this.#position.x - start[0], this.#position.y - start[1], this.#position.z - start[2]] as [
      number,
      number,
      number,
    ];
    let found: readonly string[] = [];
    const face = part === "XYZ" ? under([...this.#start.keys()]) : null;
    if (face !== null) {
      shift[0] = face.x - (own.min[0] + own.max[0]) / 2;
      shift[1] = face.y - (own.min[1] + own.max[1]) / 2;
      shift[2] = face.z - own.min[2];
    } else {
      const axes = view.axes.value === "world" ? axesOf(part) : [];
      if (view.align.value && axes.length > 0) {
        const { by, with: names } = alignTo(moved(own, shift), this.#others, axes, PULL_PX * pixel());
        for (const axis of axes) shift[axis] += by[axis];
        found = names;
      }
      if (view.drop.value && !(part ?? "").includes("Z")) {
        const { by, with: names } = restOn(moved(own, [shift[0], shift[1], shift[2] + 0.02]), this.#others);
        shift[2] += by[2] + 0.02;
        found = [...found, ...names];
      }
    }
    this.alignedWith.set(found);
    return this.#T.setPosition(start[0] + shift[0], start[1] + shift[1], start[2] + shift[2]);
  }

  #boundsOf(name: string, nodes: readonly Object3D[]): Bounds {
    this.#box.makeEmpty();
    for (const node of nodes) this.#box.expandByObject(node);
    const { min, max } = this.#box;
    // From three's axes to the cell's.
    return { name, min: [min.x, -max.z, min.y], max: [max.x, -min.z, max.y] };
  }
}

function moved(box: Bounds, by: readonly [number, number, number]): Bounds {
  return {
    name: box.name,
    min: [box.min[0] + by[0], box.min[1] + by[1], box.min[2] + by[2]],
    max: [box.max[0] + by[0], box.max[1] + by[1], box.max[2] + by[2]],
  };
}

/** True where a thing goes along when one of `names` is moved. */
function isCarried(cell: Cell, name: string, names: readonly string[]): boolean {
  for (let frame = frameOf(cell, name); frame !== undefined && frame !== name; frame = frameOf(cell, frame)) {
    if (names.includes(frame)) return true;
    if (frame === "world") return false;
  }
  return false;
}

function ownPose(cell: Cell, name: string): Pose | undefined {
  const all = [
    ...(cell.robots ?? []),
    ...(cell.frames ?? []),
    ...(cell.objects ?? []),
    ...(cell.points ?? []),
    ...(cell.spaces ?? []),
  ];
  return all.find((one) => one.name === name)?.pose;
}

/** The cell with things at other places of the world. */
function withPoses(cell: Cell, poses: ReadonlyMap<string, Pose>): Cell {
  const frames = framesOf(cell);
  const put = <T extends { readonly name: string; readonly pose?: Pose }>(
    items: readonly T[] | undefined,
  ): readonly T[] =>
    (items ?? []).map((item) => {
      const world = poses.get(item.name);
      const frame = world === undefined ? undefined : frameOf(cell, item.name);
      const pose = world && frame ? poseInFrame(cell, frame, world, frames) : undefined;
      return pose === undefined ? item : { ...item, pose };
    });
  return {
    ...cell,
    robots: put(cell.robots),
    frames: put(cell.frames),
    objects: put(cell.objects),
    points: put(cell.points),
    spaces: put(cell.spaces),
  };
}
