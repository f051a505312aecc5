/**
 * Teaching: the arm that is being taught, as a ghost beside the one that stands in the cell. It is dragged, jogged and
 * sent to points; nothing of that moves a robot. Poses are those of the tool's TCP, in the cell's world, metres.
 */

import type { SnapRequest, ForwardReply, Pose, RobotInfo } from "../../wire/generated";
import type { ForwardQuestion } from "../../wire/live";
import { RequestError } from "../../wire/rest";
import type { Cell, CellPoint, CellRobot, Near } from "../../wire/studio";
import { ArmControl, type ArmLine, GLIDE_MS } from "./arm-control";
import { compose, IDENTITY, invert, poseInFrame, poseInWorld, turn, WORLD } from "../shared/cell-geometry";
import type { FrameClock } from "../shared/glide";
import { History } from "../shared/history";
import type { Project } from "../shared/project";
import { fromVector, multiply, type Vector } from "../shared/rotations";
import { problemOf, requestProblem } from "../shared/sentences";
import { onChange, Store } from "../shared/store";
import { isSamePose, settled, startOf, type TaughtArm, taughtJoints, tcpOf } from "./taught-arm";
import { t } from "../texts";

export { startOf, type TaughtArm, tcpOf };

/** How near the ghost is to something. */
export interface Nearness {
  readonly near: Near | null;
  readonly touches: boolean;
}

/** An arm by the names that the cell gives; an arm of no name is the robot's first. */
export interface ArmChoice {
  readonly robot: string;
  readonly arm: string;
}

/** Which axes a jog goes along: those of the world, the robot, the tool, or any frame or part of the cell. */
export type JogAxes = "world" | "base" | "tool" | (string & {});

/** How an arm that is taught stands. */
interface Stand extends ArmChoice {
  readonly q: readonly number[];
  readonly opening: number;
}

/** What Teach needs of the line to the server. */
export interface TeachLine extends ArmLine {
  /** Of the questions in one lane, the newest takes the place of those that wait. */
  forward(
    question: () => ForwardQuestion,
    answered: (answer: ForwardReply, ms: number) => void,
    lane?: string,
  ): void;
}

export interface TeachingParts {
  readonly line: TeachLine;
  readonly fetchRobot: (name: string) => Promise<RobotInfo>;
  readonly findSnap: (asked: SnapRequest) => Promise<Pose>;
  readonly clock: FrameClock;
}

export class Teaching {
  readonly taught = new Store<TaughtArm | null>(null);
  /** Where the ghost's TCP is; null until the server has said so. */
  readonly tcp = new Store<Pose | null>(null);
  /** Where it is going by what was typed or jogged last, else where it is: what comes next is one more change of this. */
  readonly goal = new Store<Pose | null>(null);
  /** The arm that is taught, or is being fetched to be taught. */
  readonly choice = new Store<ArmChoice | null>(null);
  /** Where the person wants it, while it cannot be there. */
  readonly target = new Store<Pose | null>(null);
  readonly nearness = new Store<Nearness | null>(null);
  /** Undo and redo of what moves the ghost, back to the last edit of the project. */
  readonly moves: History<Stand | null>;
  #edits = "";
  readonly #leaving: (() => void)[];
  #armLeaving: (() => void)[] = [];
  #snapping: SnapRequest | null = null;
  #asking = false;
  #askAgain = false;

  constructor(
    private readonly project: Project,
    private readonly parts: TeachingParts,
  ) {
    this.moves = new History(
      () => this.#stand(),
      (stand) => this.#moveTo(stand),
      () => parts.clock.nowMs(),
    );
    this.#leaving = [
      onChange(project.history, ({ undo, redo }) => this.#edited(JSON.stringify([undo, redo]))),
      onChange(project.mode, () => this.#choose()),
      onChange(project.selection, () => this.#choose()),
      onChange(project.openProgram, () => this.#choose()),
      onChange(project.cell, (cell) => this.#follow(cell)),
    ];
  }

  /** True where the ghost is shown. */
  get showing(): boolean {
    return this.project.mode.value === "teach" && this.taught.value !== null;
  }

  /** Teach this arm of the cell from now on; the one before is let go of at once, so that no jog goes to it. */
  async choose(robot: string, arm = ""): Promise<void> {
    const item = this.project.cell.value.robots?.find((one) => one.name === robot);
    if (item === undefined) return;
    const now = this.taught.value;
    const known = now?.robot === robot && now.info.name === item.model ? now.info : null;
    if (known !== null) {
      if (arm !== "" && now?.arm !== arm) this.#take(item, known, arm);
      return;
    }
    const { value } = this.choice;
    if (now === null && value?.robot === robot && value.arm === arm) return;
    this.#drop();
    const choice: ArmChoice = { robot, arm };
    this.choice.set(choice);
    try {
      const info = await this.parts.fetchRobot(item.model);
      if (this.choice.value === choice) this.#take(item, info, arm);
    } catch (error) {
      if (this.choice.value === choice) this.choice.set(null);
      this.project.complain(
        error instanceof RequestError ? requestProblem(error) : t("view.robotFailed", { name: robot }),
      );
    }
  }

  /** A robot of the catalogue is another now: whoever teaches it starts over. */
  renew(model: string): void {
    if (this.taught.value?.info.name !== model) return;
    this.#drop();
    this.#choose();
  }

  /** True while the numbers that were typed are out of the arm's reach: the ghost is elsewhere. */
  get cannotBeThere(): boolean {
    const control = this.taught.value?.control;
    return control !== undefined && control.unreached.value !== null && control.aim.value !== null;
  }

  /** A drag of the tool begins or ends. */
  setDragging(dragging: boolean): void {
    if (dragging) this.moves.record("");
    this.taught.value?.control.setDragging(dragging);
    if (!dragging) this.target.set(null);
  }

  /** The person wants the TCP here; the ghost follows as far as its posture goes. */
  follow(world: Pose): void {
    const taught = this.taught.value;
    if (taught === null) return;
    this.target.set(world);
    taught.control.follow(this.#toFrame(taught, world), taught.base, taught.frame);
  }

  /** Move the TCP a step along and about axes. */
  nudge(by: Vector, about: Vector, axes: JogAxes): void {
    const taught = this.taught.value;
    // From where it is, where it cannot come to what was wished for.
    const world = this.cannotBeThere ? this.tcp.value : this.goal.value;
    if (world === null || taught === null) return;
    const base = this.project.cell.value.robots?.find(({ name }) => name === taught.robot)?.pose;
    const frame =
      axes === "tool"
        ? world
        : axes === "base"
          ? (base ?? IDENTITY)
          : (poseInWorld(this.project.cell.value, axes === "world" ? WORLD : axes) ?? IDENTITY);
    const shift = turn(frame.wxyz, by);
    const spin = fromVector(turn(frame.wxyz, about));
    const wanted: Pose = {
      xyz: [world.xyz[0] + shift[0], world.xyz[1] + shift[1], world.xyz[2] + shift[2]],
      wxyz: multiply(spin, world.wxyz),
    };
    this.target.set(null);
    this.moves.record("jog");
    taught.control.step(this.#toFrame(taught, wanted), taught.base, taught.frame);
  }

  /** Bring the ghost to where the robot of the cell stands. */
  reset(): void {
    const taught = this.taught.value;
    const item = this.project.cell.value.robots?.find(({ name }) => name === taught?.robot);
    if (taught === null || item === undefined) return;
    this.moves.record("");
    taught.control.glideTo(startOf(item, taught.control.info));
  }

  /** True where undo takes back a move of the ghost, and not an edit. */
  get canUndo(): boolean {
    return this.project.mode.value === "teach" && this.moves.canUndo.value;
  }

  get canRedo(): boolean {
    return this.project.mode.value === "teach" && this.moves.canRedo.value;
  }

  /** Take back what was done last: a move of the ghost, or else an edit. */
  async undo(): Promise<boolean> {
    if (!this.canUndo) return this.project.undo();
    this.moves.undo();
    return true;
  }

  async redo(): Promise<boolean> {
    if (!this.canRedo) return this.project.redo();
    this.moves.redo();
    return true;
  }

  /** Bring the ghost to the first posture of the catalogue. */
  goHome(): void {
    const home = this.taught.value?.control.info.postures[0];
    if (home === undefined) return;
    this.moves.record("");
    this.taught.value?.control.glideTo(home.q);
  }

  /** Teach the next arm of the same robot. */
  chooseNext(): void {
    const taught = this.taught.value;
    const names = taught?.info.arms.map(({ name }) => name) ?? [];
    const next = names[(names.indexOf(taught?.arm ?? "") + 1) % names.length];
    if (taught !== null && next !== undefined) void this.choose(taught.robot, next);
  }

  /** Bring the ghost's TCP to a place in the world; of several postures, the one nearest to `hint`. */
  goToPose(world: Pose, hint: readonly number[] | null = null): void {
    const taught = this.taught.value;
    if (taught === null) return;
    this.target.set(null);
    this.moves.record("");
    taught.control.goTo(this.#toFrame(taught, world), taught.base, false, hint, taught.frame);
  }

  /** Bring the ghost's TCP onto a surface or an edge; of several wishes the newest counts. */
  async snap(asked: SnapRequest): Promise<void> {
    const { value: taught } = this.taught;
    this.#snapping = asked;
    try {
      const pose = await this.parts.findSnap(asked);
      if (this.#snapping === asked && this.taught.value === taught) this.goToPose(pose);
    } catch (error) {
      this.project.complain(problemOf(error, t("page.notDone")));
    }
  }

  /** Send the ghost to where a point is now; the joints it was taught with only choose the posture. */
  goTo(point: string): void {
    const cell = this.project.cell.value;
    const taught = this.taught.value;
    const world = poseInWorld(cell, point);
    if (taught === null || world === undefined) return;
    const item = cell.points?.find(({ name }) => name === point);
    this.goToPose(world, taughtJoints(item, taught.robot, taught.info, taught.control.info));
  }

  /** Make a point where the ghost's TCP is, in a frame of the cell. */
  async teachPoint(name: string, frame: string): Promise<boolean> {
    const item = await this.asPoint(name, frame);
    if (item === null) return false;
    return this.project.edit({ edit: "cell", command: { do: "add", section: "points", item } });
  }

  /** Move a point to where the ghost's TCP is; it keeps its frame. */
  async touchUp(point: string): Promise<boolean> {
    const old = this.project.cell.value.points?.find(({ name }) => name === point);
    const item = old === undefined ? null : await this.asPoint(point, old.frame ?? WORLD);
    if (item === null) return false;
    return this.project.edit({ edit: "cell", command: { do: "replace", name: point, item } });
  }

  dispose(): void {
    for (const leave of [...this.#leaving, ...this.#armLeaving]) leave();
    this.taught.value?.control.dispose();
  }

  #stand(): Stand | null {
    const taught = this.taught.value;
    if (taught === null) return null;
    const { robot, arm, control } = taught;
    return { robot, arm, q: control.q.value, opening: control.opening.value };
  }

  /** Bring the ghost back to where it stood; one of another arm is over. */
  #moveTo(stand: Stand | null): void {
    const taught = this.taught.value;
    if (stand === null || taught?.robot !== stand.robot || taught.arm !== stand.arm) return;
    this.target.set(null);
    taught.control.setOpening(stand.opening);
    taught.control.glideTo(stand.q, GLIDE_MS / 2);
  }

  /** What comes after an edit is undone before it; what came before it is not undone any more. */
  #edited(edits: string): void {
    if (edits !== this.#edits) this.moves.clear();
    this.#edits = edits;
  }

  /** Teach what is selected, or else what the open program is for, or else the first robot. */
  #choose(): void {
    const { cell, mode, openProgram, programs, selection } = this.project;
    if (mode.value !== "teach") return;
    const robots = cell.value.robots ?? [];
    const picked = robots.find(({ name }) => selection.value.includes(name));
    const program = programs.value[openProgram.value ?? ""];
    const now = this.choice.value;
    if (picked !== undefined) void this.choose(picked.name);
    else if (now !== null && robots.some(({ name }) => name === now.robot)) return;
    else if (program !== undefined && robots.some(({ name }) => name === program.robot))
      void this.choose(program.robot, program.arm ?? "");
    else if (robots[0] !== undefined) void this.choose(robots[0].name);
  }

  #take(item: CellRobot, info: RobotInfo, wanted: string): void {
    this.#drop();
    const arm = info.arms.find(({ name }) => name === wanted) ?? info.arms[0];
    if (arm === undefined) return;
    const control = new ArmControl(info.name, arm, this.parts.line, this.parts.clock);
    const { frame, T_frame_tcp } = tcpOf(this.project.cell.value, item, arm);
    control.frame.set(frame);
    if (arm.bases.some(({ name }) => name === info.root)) control.base.set(info.root);
    control.q.set(startOf(item, arm));
    control.opening.set(control.travel);
    const base = control.base.value;
    const taught: TaughtArm = { robot: item.name, arm: arm.name, info, control, frame, T_frame_tcp, base };
    this.#armLeaving = [
      control.stance.subscribe(() => this.#readTcp(taught)),
      onChange(control.aim, () => this.#readGoal(taught)),
      onChange(control.q, () => this.#askNearest()),
    ];
    this.choice.set({ robot: item.name, arm: arm.name });
    this.taught.set(taught);
    control.refresh();
    this.#askNearest();
  }

  #drop(): void {
    for (const leave of this.#armLeaving) leave();
    this.#armLeaving = [];
    this.taught.value?.control.dispose();
    this.choice.set(null);
    this.tcp.set(null);
    this.goal.set(null);
    this.target.set(null);
    this.nearness.set(null);
    this.taught.set(null);
  }

  /** The cell has changed: another tool, another place, no robot any more. */
  #follow(cell: Cell): void {
    const taught = this.taught.value;
    if (taught === null) {
      this.#choose();
      return;
    }
    const item = cell.robots?.find(({ name }) => name === taught.robot);
    if (item === undefined || item.model !== taught.info.name) {
      this.#drop();
      this.#choose();
      return;
    }
    const { frame, T_frame_tcp } = tcpOf(cell, item, taught.control.info);
    if (frame !== taught.frame || !isSamePose(T_frame_tcp, taught.T_frame_tcp)) {
      const { q } = taught.control;
      this.#take(item, taught.info, taught.arm);
      this.taught.value?.control.glideTo(q.value, 0);
      return;
    }
    this.#readTcp(taught);
    this.#askNearest();
  }

  #readTcp(taught: TaughtArm): void {
    const stance = taught.control.stance.value;
    if (stance === null) return;
    if (isOfTcp(taught, stance)) {
      this.tcp.set(this.#toWorld(taught, stance.answer.pose));
      this.#readGoal(taught);
    } else {
      void this.#askTcp(taught, stance.q);
    }
  }

  /** The control looks at another frame: ask where the TCP is; of several questions the newest is answered. */
  #askTcp(taught: TaughtArm, q: readonly number[]): Promise<void> {
    const { robot, info } = taught.control;
    const { frame, base } = taught;
    return new Promise((resolve) => {
      this.parts.line.forward(
        () => ({ type: "forward", robot, arm: info.name, q, frame, base }),
        ({ pose }) => {
          if (this.taught.value === taught) {
            this.tcp.set(this.#toWorld(taught, pose));
            this.#readGoal(taught);
          }
          resolve();
        },
        "tcp",
      );
    });
  }

  #readGoal(taught: TaughtArm): void {
    const aim = taught.control.aim.value;
    const known = aim !== null && isOfTcp(taught, aim);
    this.goal.set(known ? this.#toWorld(taught, aim.pose) : this.tcp.value);
  }

  /** Where the TCP is when its frame is there in its base. */
  #toWorld(taught: TaughtArm, pose: Pose): Pose {
    const root = this.project.cell.value.robots?.find(({ name }) => name === taught.robot)?.pose ?? IDENTITY;
    return compose(compose(root, pose), taught.T_frame_tcp);
  }

  /** Where the TCP's frame must be in its base for the TCP to be there. */
  #toFrame(taught: TaughtArm, world: Pose): Pose {
    const root = this.project.cell.value.robots?.find(({ name }) => name === taught.robot)?.pose ?? IDENTITY;
    return compose(compose(invert(root), world), invert(taught.T_frame_tcp));
  }

  /** Where the ghost's TCP comes to rest, in the world; null where the server does not say so in time. */
  async rest(): Promise<Pose | null> {
    const taught = this.taught.value;
    if (taught === null || !(await settled(taught.control)) || this.taught.value !== taught) return null;
    const stance = taught.control.stance.value;
    if (stance !== null && !isOfTcp(taught, stance)) await this.#askTcp(taught, stance.q);
    else this.#readTcp(taught);
    return this.tcp.value;
  }

  /** The point where the ghost's TCP comes to rest; null where that is out of reach, or the server does not say so in time. */
  async asPoint(name: string, frame: string): Promise<CellPoint | null> {
    const world = await this.rest();
    const taught = this.taught.value;
    const pose =
      world === null || this.cannotBeThere ? undefined : poseInFrame(this.project.cell.value, frame, world);
    if (taught === null || pose === undefined) return null;
    const arm = taught.info.arms.length > 1 ? { arm: taught.arm } : {};
    return { name, pose, frame, robot: taught.robot, ...arm, q: taught.control.q.value };
  }

  #askNearest(): void {
    const taught = this.taught.value;
    if (taught === null || this.project.mode.value !== "teach") return;
    if (this.#asking) {
      this.#askAgain = true;
      return;
    }
    this.#asking = true;
    const joints = { [`${taught.robot}/${taught.arm}`]: taught.control.q.value };
    this.project.socket
      .ask({ type: "nearest", joints })
      .then(
        (answer) => {
          if (answer.type === "nearest" && this.taught.value === taught)
            this.nearness.set({ near: answer.near, touches: answer.touches });
        },
        () => this.nearness.set(null),
      )
      .finally(() => {
        this.#asking = false;
        if (!this.#askAgain) return;
        this.#askAgain = false;
        this.#askNearest();
      });
  }
}

/** Whether a pose is that of the frame in which the TCP is given. */
function isOfTcp(
  taught: TaughtArm,
  { frame, base }: { readonly frame: string; readonly base: string },
): boolean {
  return frame === taught.frame && base === taught.base;
}
