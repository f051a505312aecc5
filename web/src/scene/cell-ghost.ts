/** CellGhost: the arm that is taught, in the view: its ghost, the handle at its tool, and what it comes near to. */

import { Matrix4, type Object3D, Vector3 } from "three";
import { onChange, type Store } from "../state/shared/store";
import { startOf, type TaughtArm } from "../state/teach/taught-arm";
import type { Teaching } from "../state/teach/teacher";
import type { Cell } from "../wire/studio";
import type { CellRobots } from "./cell-robots";
import { linkOf } from "./cell-robot";
import { FramesOverlay } from "./frames-overlay";
import { NearLine } from "./near-line";
import { Outline } from "./outline";
import { poseMatrix, readPose } from "./place";
import { RobotGhost } from "./robot-ghost";
import type { ToolHandle } from "./tool-handle";
import type { Viewport } from "./viewport";
import { TargetLine } from "./target-line";

/** A thing that is farther than this is of no interest. */
const NEAR_M = 0.08;
const RED = "#ff4d45";
const AMBER = "#e5a336";

export interface CellGhostParts {
  readonly viewport: Viewport;
  readonly handle: ToolHandle;
  readonly robots: CellRobots;
  readonly teaching: Teaching;
  readonly cell: () => Cell;
  /** The thing of that name in the view. */
  readonly nodeOf: (name: string) => Object3D | undefined;
  /** Whether the frames of the arm are shown. */
  readonly frames: Store<boolean>;
  readonly write: (metres: number) => string;
}

export class CellGhost {
  /** The TCP in the cell's world, as it is drawn. */
  readonly T_world_tcp = new Matrix4();
  #ghost: RobotGhost | null = null;
  #frames: FramesOverlay | null = null;
  readonly #nearLine = new NearLine(AMBER);
  readonly #targetLine = new TargetLine();
  /** Round what the ghost touches. */
  readonly #struck = new Outline(RED, 3);
  readonly #T_world_three = new Matrix4();
  readonly #T_frame_tcp = new Matrix4();
  readonly #a = new Vector3();
  readonly #b = new Vector3();
  readonly #leaving: (() => void)[];
  #armLeaving: (() => void)[] = [];
  /** The joints when the drag began. */
  #q: readonly number[] | null = null;

  constructor(private readonly parts: CellGhostParts) {
    const { teaching, viewport } = parts;
    this.#T_world_three.copy(viewport.world.matrixWorld).invert();
    viewport.world.add(this.#nearLine.node, this.#targetLine.node);
    viewport.beforeFrame.add(this.#part);
    this.#leaving = [
      onChange(teaching.taught, () => this.update()),
      onChange(teaching.nearness, () => this.#showNear()),
      onChange(teaching.target, () => this.#showTarget()),
      onChange(parts.frames, () => this.#showFrames()),
    ];
  }

  /** The size of the picture in CSS pixels. */
  setPicture(width: number, height: number): void {
    this.#struck.setPicture(width, height);
  }

  /** Let go of bodies that may be rebuilt. */
  clear(): void {
    this.#struck.clear();
  }

  /** Rebuild the ghost: another arm, other bodies, another tool, or no teaching any more. */
  update(): void {
    for (const leave of this.#armLeaving) leave();
    this.#armLeaving = [];
    this.#frames?.dispose();
    this.#frames = null;
    this.#ghost?.dispose();
    this.#ghost = null;
    const { teaching, robots, viewport } = this.parts;
    const taught = teaching.taught.value;
    const view = taught === null ? null : robots.view(taught.robot);
    if (teaching.showing && taught !== null && view !== null) {
      this.#ghost = new RobotGhost(view);
      viewport.world.add(this.#ghost.node);
      this.#armLeaving = [
        taught.control.q.subscribe(() => this.#pose(taught)),
        onChange(taught.control.opening, () => this.#pose(taught)),
        onChange(taught.control.unreached, () => this.#showTarget()),
      ];
    }
    this.#showNear();
    this.#showTarget();
    this.#showFrames();
    viewport.invalidate();
  }

  /** Put the handle onto the tool; return whether there is one. */
  placeHandle(): boolean {
    if (this.#ghost === null) return false;
    this.parts.handle.place(this.T_world_tcp);
    return true;
  }

  start(): void {
    this.#q = this.parts.teaching.taught.value?.control.q.value ?? null;
    this.parts.teaching.setDragging(true);
  }

  /** Go back to where the drag began. */
  cancel(): void {
    if (this.#q !== null) this.parts.teaching.taught.value?.control.glideTo(this.#q);
    this.parts.teaching.target.set(null);
  }

  drag(T_world_wish: Matrix4): void {
    this.parts.teaching.follow(readPose(T_world_wish));
  }

  end(): void {
    this.parts.teaching.setDragging(false);
    this.placeHandle();
  }

  /** Where it stands just as the robot does, there is nothing to tell them apart by. */
  readonly #part = (): boolean => {
    this.#ghost?.part();
    return false;
  };

  dispose(): void {
    this.parts.viewport.beforeFrame.delete(this.#part);
    for (const leave of [...this.#leaving, ...this.#armLeaving]) leave();
    this.#frames?.dispose();
    this.#ghost?.dispose();
    this.#struck.dispose();
    this.#nearLine.dispose();
    this.#targetLine.node.removeFromParent();
    this.#targetLine.dispose();
  }

  #pose(taught: TaughtArm): void {
    const ghost = this.#ghost;
    if (ghost === null) return;
    const { info, q } = taught.control;
    info.joints.forEach(({ name }, i) => ghost.setJoint(name, q.value[i] ?? 0));
    for (const other of taught.info.arms) {
      if (other.name === taught.arm) continue;
      const item = this.parts.cell().robots?.find(({ name }) => name === taught.robot);
      if (item !== undefined)
        startOf(item, other).forEach((value, i) => ghost.setJoint(other.joints[i]?.name ?? "", value));
    }
    (info.tool?.fingers ?? []).forEach(({ name }, i) => ghost.setJoint(name, taught.control.fingerValue(i)));
    ghost.node.updateMatrixWorld(true);
    const frame = ghost.link(linkOf(info, taught.frame));
    if (frame !== undefined) {
      poseMatrix(taught.T_frame_tcp, this.#T_frame_tcp);
      this.T_world_tcp.multiplyMatrices(this.#T_world_three, frame.matrixWorld).multiply(this.#T_frame_tcp);
    }
    this.placeHandle();
    this.#showTarget();
    this.parts.viewport.invalidateBodies();
  }

  /** The frames and bases that can be chosen, by the names that they have there. */
  #showFrames(): void {
    this.#frames?.dispose();
    this.#frames = null;
    const { teaching, frames, viewport } = this.parts;
    const info = teaching.taught.value?.control.info;
    const named: Record<string, Object3D> = {};
    for (const { name, link } of [...(info?.bases ?? []), ...(info?.frames ?? [])]) {
      const node = this.#ghost?.link(link);
      if (node !== undefined) named[name] = node;
    }
    if (frames.value && this.#ghost !== null) this.#frames = new FramesOverlay(named);
    viewport.invalidate();
  }

  #showNear(): void {
    const nearness = this.#ghost === null ? null : this.parts.teaching.nearness.value;
    const near = nearness?.near;
    const touches = nearness?.touches === true;
    this.#ghost?.setTouching(touches);
    const struck = touches && near != null ? this.parts.nodeOf(near.b) : undefined;
    this.#struck.show(struck === undefined ? [] : [struck]);
    if (near === undefined || near === null || (!touches && near.distance_m > NEAR_M)) {
      this.#nearLine.hide();
    } else {
      this.#nearLine.setColor(touches ? RED : AMBER);
      this.#nearLine.draw(
        near.point_a,
        near.point_b,
        `${plain(near.a)} · ${plain(near.b)}  ${this.parts.write(near.distance_m)}`,
      );
    }
    this.parts.viewport.invalidate();
  }

  #showTarget(): void {
    const { teaching, handle } = this.parts;
    const target = teaching.target.value;
    const missed = this.#ghost !== null && teaching.taught.value?.control.unreached.value != null;
    handle.setUnreached(missed && target !== null);
    if (missed && target !== null) {
      this.#a.setFromMatrixPosition(this.T_world_tcp);
      this.#targetLine.draw(this.#a, this.#b.set(...target.xyz));
    } else {
      this.#targetLine.hide();
    }
    this.parts.viewport.invalidate();
  }
}

/** A body by the name that people use: "forearm" for "ur3e/forearm_link". */
export function plain(name: string): string {
  const own = name.slice(name.lastIndexOf("/") + 1);
  return own.replace(/_link$/, "").replaceAll("_", " ");
}
