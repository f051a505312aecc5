/**
 * Jogging: a robot moves as long as a person holds something. The clutch goes in on the press; what is wanted is said
 * thirty times a second; letting go, or anything that looks like it, lets go of the clutch.
 */

import type { Question } from "../wire/project-socket";
import type { JointIntent, PoseIntent, TwistIntent } from "../wire/generated";
import type { FromClient } from "../wire/studio";
import { Store } from "./store";

export interface JogLine {
  readonly act: (question: Question) => Promise<boolean>;
  /** Say something that needs no answer. */
  readonly tell: (message: FromClient) => boolean;
}

type Wish<T> = T extends unknown ? Omit<T, "source" | "stamp_ns" | "arm" | "clutch"> : never;
/** What is wanted, without who wants it and when: the server knows both. */
export type JogWish = Wish<TwistIntent | PoseIntent | JointIntent>;

export interface Jog {
  /** Which button or key is held. */
  readonly key: string;
  readonly robot: string;
  readonly arm: string;
  /** Asked each time it is said. */
  readonly wish: () => JogWish;
}

export const PERIOD_MS = 33;
const RESTING_MS = 3000;
const AGAIN_MS = 100;

export class Jogging {
  /** What is held; null: nothing. */
  readonly held = new Store<string | null>(null);
  #jog: Jog | null = null;
  #endedMs = -Infinity;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly line: JogLine) {}

  /** Press: take the clutch, and move as soon as the server says so, unless it was let go meanwhile. */
  async begin(jog: Jog): Promise<void> {
    this.end();
    this.#jog = jog;
    this.held.set(jog.key);
    const engage: Question = { type: "engage", robot: jog.robot, arm: jog.arm };
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
    this.#say(jog, true);
    this.#timer = setInterval(() => {
      if (!this.#say(jog, true)) this.end();
    }, PERIOD_MS);
  }

  /** Let go. Where nothing is held, nothing happens. */
  end(): void {
    const jog = this.#jog;
    if (jog === null) return;
    clearInterval(this.#timer);
    this.#jog = null;
    this.#endedMs = Date.now();
    this.held.set(null);
    this.#say(jog, false);
  }

  #say({ robot, arm, wish }: Jog, clutch: boolean): boolean {
    // What is held is the dead-man switch too: who lets go stops the robot.
    const intent = { ...wish(), source: "", stamp_ns: 0, arm, clutch, dead_man: clutch };
    return this.line.tell({ type: "intend", robot, intent });
  }
}

/** How fast a jog is at full speed: metres and radians a second. */
export const FULL_LINEAR = 0.25;
export const FULL_ANGULAR = 0.8;

/** The wish to turn one joint. */
export function jointWish(dof: number, joint: number, way: 1 | -1, share: number): JogWish {
  const velocity = Array.from({ length: dof }, (_, i) => (i === joint ? way * FULL_ANGULAR : 0));
  return { type: "joints", velocity, scale: share };
}

/** The wish to move the tool along (0 to 2) or about (3 to 5) an axis. */
export function toolWish(
  axis: number,
  way: 1 | -1,
  frame: "world" | "base" | "tool",
  share: number,
): JogWish {
  const at = (first: number, most: number): [number, number, number] => [
    axis === first ? way * most : 0,
    axis === first + 1 ? way * most : 0,
    axis === first + 2 ? way * most : 0,
  ];
  return { type: "twist", linear: at(0, FULL_LINEAR), angular: at(3, FULL_ANGULAR), frame, scale: share };
}
