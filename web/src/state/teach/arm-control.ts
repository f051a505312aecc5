/**
 * ArmControl: what a person does with one arm. Joints go out to the server, pose and branches come
 * back; a wish for the tool goes out, joints come back. Radians and metres.
 */

import type { ArmInfo, Branch, ForwardReply, InverseReply, Pose } from "../../wire/generated";
import type { ForwardQuestion, InverseQuestion } from "../../wire/live";
import type { FrameClock } from "../shared/glide";
import { Glide } from "../shared/glide";
import { clampTo } from "../shared/joints";
import type { Words } from "../shared/said";
import { Store } from "../shared/store";
import { fromCatalogue } from "../shared/catalogue-texts";
import { t } from "../texts";

/** What an arm needs of the line to the server. */
export interface ArmLine {
  forward(question: () => ForwardQuestion, answered: (answer: ForwardReply, ms: number) => void): void;
  /** `dropped` is called instead of `answered` where there will be no answer. */
  inverse(
    question: () => InverseQuestion,
    answered: (answer: InverseReply, ms: number) => void,
    dropped: () => void,
  ): void;
}

/** How the arm stands, as the server worked it out. */
export interface Stance {
  readonly q: readonly number[];
  readonly frame: string;
  readonly base: string;
  readonly answer: ForwardReply;
}

/** A pose that was asked for and cannot be had. */
export interface Unreached {
  /** In the arm's own base; null where it was given in another. */
  readonly pose: Pose | null;
  /** Which frame was wanted there. */
  readonly frame: string;
  readonly reason: Words;
  /** True where another posture than the present one reaches it. */
  readonly elsewhere: boolean;
}

/** A pose that was typed, while the arm is on its way there. */
export interface Aim {
  readonly pose: Pose;
  readonly frame: string;
  readonly base: string;
}

/** A swing of the elbow under way. */
interface Swing extends Aim {
  /** The joints that hold the pose, which stays, now. */
  q: readonly number[];
  /** Where the redundancy joint shall go. */
  goal: number;
  walking: boolean;
  ending: boolean;
}

export interface Timing {
  readonly roundTripMs: number;
  readonly solveUs: number;
}

export const GLIDE_MS = 420;
const CATCH_UP_MS = 160;
/** A larger step of a joint than this during a drag is shown as a short motion, not as a jump. */
const JUMP_RAD = 0.6;
const SWING_STEP_RAD = 0.06;
/** Joints that differ by less than this are the same configuration. */
const SAME_RAD = 1e-4;

export class ArmControl {
  readonly q: Store<readonly number[]>;
  /** How far the first finger has moved from closed; the others keep up with it. */
  readonly opening: Store<number>;
  readonly frame: Store<string>;
  readonly base: Store<string>;
  readonly stance = new Store<Stance | null>(null);
  readonly branches = new Store<readonly Branch[]>([]);
  readonly unreached = new Store<Unreached | null>(null);
  /** Where a typed pose leads; the next number typed is one more change of it, not of a pose on the way. */
  readonly aim = new Store<Aim | null>(null);
  readonly dragging = new Store(false);
  readonly timing = new Store<Timing | null>(null);
  /** The largest opening; 0 where the tool has no fingers. */
  readonly travel: number;
  readonly #glide: Glide;
  /** The newest wish, while it has no answer; asking for branches now would take its place. */
  #request: object | null = null;
  /** Counts what the person did other than wishing: answers to wishes from before are too late. */
  #age = 0;
  #held: Swing | null = null;
  /** Place of the redundancy joint in q; −1 where there is none. */
  readonly #redundant: number;

  constructor(
    readonly robot: string,
    readonly info: ArmInfo,
    private readonly line: ArmLine,
    clock: FrameClock,
  ) {
    this.q = new Store(info.postures[0]?.q ?? info.joints.map((joint) => clampTo(joint, 0)));
    this.travel = info.tool?.fingers[0]?.upper ?? 0;
    this.opening = new Store(this.travel / 2);
    const frames = info.frames.map((frame) => frame.name);
    const tcp = info.tool?.tcp;
    this.frame = new Store(tcp !== undefined && frames.includes(tcp) ? tcp : info.flange);
    this.base = new Store(info.base);
    this.#glide = new Glide(clock);
    this.#redundant = info.joints.findIndex((joint) => joint.name === info.redundancy);
  }

  /** Ask for everything that is shown of this arm. */
  refresh(): void {
    this.#askStance();
  }

  chooseFrame(name: string): void {
    this.frame.set(name);
    this.branches.set([]);
    this.aim.set(null);
    this.unreached.set(null);
    this.refresh();
  }

  chooseBase(name: string): void {
    this.base.set(name);
    this.aim.set(null);
    this.refresh();
  }

  setJoint(index: number, value: number): void {
    this.#setNow(this.q.value.map((old, i) => (i === index ? value : old)));
  }

  setOpening(value: number): void {
    this.opening.set(Math.min(this.travel, Math.max(0, value)));
  }

  /** The value of each finger's joint at the present opening. */
  fingerValue(index: number): number {
    const upper = this.info.tool?.fingers[index]?.upper ?? 0;
    return this.travel === 0 ? 0 : (this.opening.value * upper) / this.travel;
  }

  /** Move smoothly to these joints; where it is there already, only what was wished before is forgotten. */
  glideTo(q: readonly number[], durationMs = GLIDE_MS): void {
    this.#forgetWishes();
    if (this.#target !== q) this.#move(q, durationMs);
  }

  /** A drag of the tool begins or ends. */
  setDragging(dragging: boolean): void {
    this.dragging.set(dragging);
    if (dragging) return;
    this.#lookElsewhere();
    this.#askStance();
  }

  /** The person drags the frame (default: the chosen one) here; the arm follows as far as its posture goes, and never jumps. */
  follow(pose: Pose, base: string, frame = this.frame.value): void {
    this.aim.set(null);
    this.#ask({ pose, frame, base }, true, 0);
  }

  /**
   * The person has typed where the frame shall be; the arm goes there in any posture, or as near as it can.
   * `live`: the number is being scrubbed, which is a drag by other means. `hint`: of several postures that reach it,
   * the one nearest to these joints; default: to where the arm is. `frame`: default: the chosen one.
   * A pose out of reach stays the aim, so that its numbers can be corrected one by one; the arm goes as near as it can.
   */
  goTo(
    pose: Pose,
    base: string,
    live = false,
    hint: readonly number[] | null = null,
    frame = this.frame.value,
  ): void {
    const aim: Aim = { pose, frame, base };
    this.aim.set(aim);
    this.#ask(aim, live, live ? 0 : GLIDE_MS, { hint });
  }

  /** The person takes one step with the frame: the arm goes there without jumping, or else stays and says why. */
  step(pose: Pose, base: string, frame = this.frame.value): void {
    const aim: Aim = { pose, frame, base };
    this.aim.set(aim);
    this.#ask(aim, true, 0, { stays: true });
  }

  /**
   * Swing the elbow: bring the redundancy joint to `value` while the tool stays where it is. It goes
   * there in small steps, and stops where the arm would have to jump to go on.
   */
  swing(value: number): void {
    const stance = this.stance.value;
    if (stance === null || this.#redundant < 0) return;
    if (this.#held === null || !isSame(this.#held.q, this.q.value)) {
      if (stance.q !== this.q.value) return;
      this.#held = {
        pose: stance.answer.pose,
        frame: stance.frame,
        base: stance.base,
        q: this.q.value,
        goal: value,
        walking: false,
        ending: false,
      };
    }
    const held = this.#held;
    held.goal = value;
    if (!held.walking) this.#stepSwing(held);
  }

  /** The person has let go of the elbow; it still goes to where it was sent. */
  endSwing(): void {
    if (this.#held === null) return;
    if (this.#held.walking) {
      this.#held.ending = true;
      return;
    }
    this.#held = null;
    this.#askStance();
  }

  /** The place in `branches` of the configuration the arm is in (or is moving to); −1 where it is none. */
  get currentBranch(): number {
    return branchOf(this.branches.value, this.#target);
  }

  /** True where it has nowhere to go any more, and the server has said where just these joints bring it. */
  get resting(): boolean {
    return this.#request === null && this.#glide.goal === null && this.stance.value?.q === this.q.value;
  }

  /** True while it moves by itself. */
  get gliding(): boolean {
    return this.#glide.goal !== null;
  }

  dispose(): void {
    this.#glide.stop();
  }

  /** Where the arm is, or is about to be. */
  get #target(): readonly number[] {
    return this.#glide.goal ?? this.q.value;
  }

  #setNow(q: readonly number[]): void {
    this.#glide.stop();
    this.#forgetWishes();
    this.q.set(q);
    this.#askStance();
  }

  #forgetWishes(): void {
    this.#age++;
    this.#request = null;
    this.#held = null;
    this.aim.set(null);
    this.unreached.set(null);
  }

  /** `stays`: where the wish is out of reach, the arm does not go near it either. */
  #ask(
    aim: Aim,
    follow: boolean,
    durationMs: number,
    { hint = null, stays = false }: { hint?: readonly number[] | null; stays?: boolean } = {},
  ): void {
    this.#held = null;
    const request = {};
    const age = this.#age;
    this.#request = request;
    const isNewest = (): boolean => {
      if (this.#request !== request) return false;
      this.#request = null;
      return true;
    };
    this.#askJoints(
      aim,
      hint === null ? { follow } : { follow, seed: hint },
      (answer) => {
        if (age !== this.#age) return;
        const newest = isNewest();
        const best = answer.branches[0] ?? (stays ? null : answer.nearest);
        const own = aim.base === this.info.base ? aim.pose : null;
        const { reason, said } = answer;
        this.unreached.set(
          reason === null ? null : { pose: own, frame: aim.frame, reason: said ?? reason, elsewhere: false },
        );
        if (!follow && answer.branches.length > 0 && this.#redundant < 0) this.#keepBranches(answer.branches);
        if (best !== null) this.#move(best.q, durationMs);
        if (newest && reason !== null && stays) this.aim.set(null);
        if (newest && follow) this.#lookElsewhere();
      },
      () => {
        if (isNewest()) this.aim.set(null);
      },
    );
  }

  /** The hand has let go where the posture ends: find out whether another one reaches the wish. */
  #lookElsewhere(): void {
    const unreached = this.unreached.value;
    if (unreached?.pose == null || this.dragging.value || this.#request !== null) return;
    const { pose, frame } = unreached;
    this.#askJoints({ pose, frame, base: this.info.base }, {}, (answer) => {
      const still = this.unreached.value === unreached;
      if (still && answer.branches.length > 0) this.unreached.set({ ...unreached, elsewhere: true });
    });
  }

  #move(q: readonly number[], durationMs: number): void {
    const from = this.q.value;
    const duration = durationMs > 0 ? durationMs : largestStep(from, q) > JUMP_RAD ? CATCH_UP_MS : 0;
    if (duration === 0) {
      this.#glide.stop();
      this.q.set(q);
      this.#askStance();
      return;
    }
    this.#glide.start(from, q, duration, (values) => {
      this.q.set(values);
      this.#askStance();
    });
  }

  #stepSwing(held: Swing): void {
    const now = held.q[this.#redundant] ?? held.goal;
    const step = Math.min(SWING_STEP_RAD, Math.max(-SWING_STEP_RAD, held.goal - now));
    held.walking = true;
    const take = (answer: InverseReply): void => {
      held.walking = false;
      if (this.#held !== held) return;
      const best = answer.branches[0];
      if (best === undefined || largestStep(held.q, best.q) > JUMP_RAD) {
        const turning = this.info.joints[this.#redundant];
        const title = turning === undefined ? t("robot.swing.elbow") : fromCatalogue(turning.title);
        const reason = answer.said ?? answer.reason ?? t("robot.swing.end", { joint: title });
        this.unreached.set({ pose: null, frame: held.frame, reason, elsewhere: false });
      } else {
        this.unreached.set(null);
        held.q = best.q;
        this.#move(best.q, 0);
        if (Math.abs(held.goal - (best.q[this.#redundant] ?? held.goal)) > 1e-9) {
          this.#stepSwing(held);
          return;
        }
      }
      if (held.ending) this.endSwing();
    };
    this.#askJoints(held, { redundancy: now + step }, take, () => {
      if (this.#held === held) this.#held = null;
    });
  }

  #askStance(): void {
    let asked = { q: this.q.value, frame: this.frame.value, base: this.base.value };
    this.line.forward(
      () => {
        asked = { q: this.q.value, frame: this.frame.value, base: this.base.value };
        return { type: "forward", robot: this.robot, arm: this.info.name, ...asked };
      },
      (answer) => {
        this.stance.set({ ...asked, answer });
        if (!this.resting || this.dragging.value || this.#held !== null) return;
        if (this.unreached.value === null) this.aim.set(null);
        if (asked.frame === this.frame.value) this.#askBranches({ ...asked, pose: answer.pose }, asked.q);
      },
    );
  }

  /** Ask which other configurations bring the frame to where it is. */
  #askBranches(aim: Aim, q: readonly number[]): void {
    this.#askJoints(aim, { redundancy: q[this.#redundant] ?? null }, (answer) => {
      if (isSame(q, this.q.value)) this.#keepBranches(answer.branches);
    });
  }

  #askJoints(
    { pose, frame, base }: Aim,
    how: Pick<InverseQuestion, "follow" | "redundancy"> & Partial<Pick<InverseQuestion, "seed">>,
    take: (answer: InverseReply) => void,
    dropped: () => void = () => undefined,
  ): void {
    const chosen = this.frame.value;
    this.line.inverse(
      () => ({
        type: "inverse",
        robot: this.robot,
        arm: this.info.name,
        pose,
        frame,
        base,
        seed: this.#target,
        ...how,
      }),
      (answer, roundTripMs) => {
        this.timing.set({ roundTripMs, solveUs: answer.solve_us });
        if (chosen === this.frame.value) take(answer);
        else dropped();
      },
      dropped,
    );
  }

  /** Keep the branches in an order that does not change while the arm moves, so that key 3 stays key 3. */
  #keepBranches(branches: readonly Branch[]): void {
    const order = new Intl.Collator("en", { numeric: true });
    this.branches.set([...branches].sort((a, b) => order.compare(a.label, b.label)));
  }
}

function largestStep(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? value))));
}

/** Return which branch has these joints; −1 where none has. */
export function branchOf(branches: readonly Branch[], q: readonly number[]): number {
  return branches.findIndex((branch) => isSame(branch.q, q));
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, i) => Math.abs(value - (b[i] ?? NaN)) < SAME_RAD);
}
