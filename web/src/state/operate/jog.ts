/**
 * Jogging: a robot moves as long as a person holds something. The clutch goes in on the press; an intent is sent from
 * each animation frame, stamped with the time of that frame, so a page that hangs or is hidden sends nothing; letting
 * go, or anything that looks like it, lets go of the clutch.
 */

import type { ProjectRequest } from "../../wire/project-socket";
import type { JointIntent, PoseIntent, TwistIntent } from "../../wire/generated";
import type { FromClient } from "../../wire/studio";
import { browserClock, type FrameClock } from "../shared/glide";
import type { Words } from "../shared/said";
import { Store } from "../shared/store";

export interface JogLine {
  readonly act: (request: ProjectRequest) => Promise<boolean>;
  /** Send a message that needs no reply. */
  readonly send: (message: FromClient) => boolean;
}

type Unstamped<T> = T extends unknown
  ? Omit<T, "source" | "stamp_ns" | "arm" | "clutch" | "dead_man">
  : never;
/** A command without its source and stamp: the server knows both. */
export type JogCommand = Unstamped<TwistIntent | PoseIntent | JointIntent>;

export interface Jog {
  /** Which button or key is held. */
  readonly key: string;
  readonly robot: string;
  readonly arm: string;
  /** Read in each frame; null: not known yet, nothing is sent. */
  readonly command: () => JogCommand | null;
  /** A device gives its own samples, by `follow`, and has a dead-man switch. */
  readonly byDevice?: boolean;
}

/** At most one intent in this time, however fast the screen draws. */
export const PERIOD_MS = 15;
const RESTING_MS = 3000;
const AGAIN_MS = 100;

export class Jogging {
  /** What is held; null: nothing. */
  readonly held = new Store<string | null>(null);
  /** Why the last jog was ended by the robot, as the server says it; empty: it was not. */
  readonly barred = new Store<Words>("");
  #jog: Jog | null = null;
  #endedMs = -Infinity;
  #frame: number | null = null;
  /** Whether the clutch is in. */
  #engaged = false;
  #sentMs = -Infinity;

  constructor(
    private readonly line: JogLine,
    private readonly clock: FrameClock = browserClock,
  ) {}

  /** The arm (robot/arm) that a hand moves from here; empty: none. */
  get arm(): string {
    return this.#jog === null ? "" : `${this.#jog.robot}/${this.#jog.arm}`;
  }

  /** Press: take the clutch, and move as soon as the server says so, unless it was let go meanwhile. */
  async begin(jog: Jog): Promise<void> {
    this.end();
    this.#jog = jog;
    this.held.set(jog.key);
    this.barred.set("");
    const deadMan = jog.byDevice === true ? { needs_dead_man: true } : {};
    const engage: ProjectRequest = { type: "engage", robot: jog.robot, arm: jog.arm, ...deadMan };
    let engaged = await this.line.act(engage);
    // Who has only just let go of another button waits until the arm is at rest.
    while (!engaged && this.#jog === jog && Date.now() - this.#endedMs < RESTING_MS) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      if (this.#jog === jog) engaged = await this.line.act(engage);
    }
    if (this.#jog !== jog) return;
    if (!engaged) {
      this.#jog = null;
      this.held.set(null);
      return;
    }
    this.#engaged = true;
    this.#sentMs = -Infinity;
    if (jog.byDevice === true) return;
    const sendIntent = (frameMs: number): void => {
      this.#frame = this.clock.next(sendIntent);
      this.follow(jog, frameMs);
    };
    this.#frame = this.clock.next(sendIntent);
  }

  /** Send what is wanted, sampled at this time of the page's clock; nothing before the clutch is in, or too often. */
  follow(jog: Jog, atMs: number): void {
    if (jog !== this.#jog || !this.#engaged || atMs - this.#sentMs < PERIOD_MS) return;
    this.#sentMs = atMs;
    if (!this.#send(jog, true, atMs)) this.end();
  }

  /** Let go; only of `jog` where one is given. Return whether anything was let go of. */
  end(jog: Jog | null = this.#jog): boolean {
    if (jog === null || jog !== this.#jog) return false;
    if (this.#frame !== null) this.clock.cancel(this.#frame);
    this.#frame = null;
    this.#jog = null;
    this.#engaged = false;
    this.#endedMs = Date.now();
    this.held.set(null);
    this.#send(jog, false, this.clock.nowMs());
    return true;
  }

  /** The robot has ended the jog by itself: whoever holds the button has to press it again. */
  bar(robot: string, reason: Words): void {
    if (this.#jog?.robot !== robot) return;
    this.end();
    this.barred.set(reason);
  }

  #send({ robot, arm, command }: Jog, clutch: boolean, atMs: number): boolean {
    const wanted = command() ?? (clutch ? null : STAY);
    if (wanted === null) return true;
    // What is held on the screen is the dead-man switch: there is no other one here.
    const intent = { ...wanted, source: "", stamp_ns: stampOf(atMs), arm, clutch, dead_man: clutch };
    return this.line.send({ type: "intend", robot, intent });
  }
}

/** What is sent where nothing is wanted: on letting go before a command was known, and while a stick rests. */
export const STAY: JogCommand = { type: "twist", linear: [0, 0, 0] };

/** A time of the page's monotonic clock as a stamp: whole nanoseconds, exact for 104 days. */
export function stampOf(ms: number): number {
  return Math.max(1, Math.round(1e6 * ms));
}

/** How fast a jog is at full speed: metres and radians a second. */
export const FULL_LINEAR = 0.25;
export const FULL_ANGULAR = 0.8;

/** Turn one joint. */
export function jointCommand(dof: number, joint: number, way: 1 | -1, share: number): JogCommand {
  const velocity = Array.from({ length: dof }, (_, i) => (i === joint ? way * FULL_ANGULAR : 0));
  return { type: "joints", velocity, scale: share };
}

/** Move the tool along (0 to 2) or about (3 to 5) an axis. */
export function toolCommand(
  axis: number,
  way: 1 | -1,
  frame: "world" | "base" | "tool",
  share: number,
): JogCommand {
  const at = (first: number, most: number): [number, number, number] => [
    axis === first ? way * most : 0,
    axis === first + 1 ? way * most : 0,
    axis === first + 2 ? way * most : 0,
  ];
  const linear = at(0, FULL_LINEAR);
  const angular = at(3, FULL_ANGULAR);
  // A button names a direction: where the arm cannot keep it, it stops and says so.
  return { type: "twist", linear, angular, frame, scale: share, straight: true };
}
