/** Glide: moves a list of numbers smoothly to a goal, in a short time. */

import { pageFrames } from "./frame-source";

/** Where time comes from; tests bring their own. */
export interface FrameClock {
  nowMs(): number;
  /** Call back once, at the next frame, with the time of that frame on the clock of `nowMs`. */
  next(callback: (frameMs: number) => void): number;
  cancel(handle: number): void;
  /** True where the person wants things to be in place at once, without motion. */
  readonly calm: boolean;
}

export const browserClock: FrameClock = {
  get calm() {
    return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  },
  nowMs: () => performance.now(),
  next: (callback) => pageFrames.next(callback),
  cancel: (handle) => pageFrames.cancel(handle),
};

/** Starts and ends at rest: 3t² − 2t³. */
export const ease = (t: number): number => t * t * (3 - 2 * t);

export class Glide {
  #handle: number | null = null;
  #goal: readonly number[] | null = null;

  constructor(private readonly clock: FrameClock) {}

  /** Where it goes; null at rest. */
  get goal(): readonly number[] | null {
    return this.#goal;
  }

  /** Go from one list to the other; `step` gets every value on the way, last the goal itself. */
  start(
    from: readonly number[],
    goal: readonly number[],
    durationMs: number,
    step: (values: readonly number[]) => void,
  ): void {
    this.stop();
    if (this.clock.calm) {
      step(goal);
      return;
    }
    this.#goal = goal;
    const begin = this.clock.nowMs();
    const advance = (): void => {
      const t = Math.min(1, (this.clock.nowMs() - begin) / durationMs);
      if (t === 1) {
        this.#handle = null;
        this.#goal = null;
        step(goal);
        return;
      }
      this.#handle = this.clock.next(advance);
      const s = ease(t);
      step(from.map((value, i) => value + s * ((goal[i] ?? value) - value)));
    };
    this.#handle = this.clock.next(advance);
  }

  /** Stay where it is. */
  stop(): void {
    if (this.#handle !== null) this.clock.cancel(this.#handle);
    this.#handle = null;
    this.#goal = null;
  }
}
