/** SampleGuard: which samples count. Whatever a device says, a mapping sees numbers, and time that goes forward. */

import type { Sample } from "./device";

/** After a longer silence than this a person has to press again: nobody knows what the hand did meanwhile. */
export const SILENCE_MS = 250;

/** What becomes of a sample. */
export type Verdict =
  /** It counts. */
  | "taken"
  /** It is no newer than the last one, and is left out. */
  | "old"
  /** The device is gone, or says what cannot be: everything is let go. */
  | "lost";

export class SampleGuard {
  #lastMs = -Infinity;

  look({ atMs, present, values, pose }: Sample): Verdict {
    if (!Number.isFinite(atMs)) return "lost";
    if (!present || !isFinite(Object.values(values)) || (pose !== undefined && !isPose(pose))) {
      this.#lastMs = Math.max(this.#lastMs, atMs);
      return "lost";
    }
    if (atMs <= this.#lastMs) {
      // A clock that jumped back far is another clock: begin again with it.
      if (this.#lastMs - atMs <= SILENCE_MS) return "old";
      this.#lastMs = atMs;
      return "lost";
    }
    const silent = Number.isFinite(this.#lastMs) && atMs - this.#lastMs > SILENCE_MS;
    this.#lastMs = atMs;
    return silent ? "lost" : "taken";
  }
}

function isFinite(numbers: readonly number[]): boolean {
  return numbers.every(Number.isFinite);
}

function isPose({ xyz, wxyz }: NonNullable<Sample["pose"]>): boolean {
  return isFinite(xyz) && isFinite(wxyz) && Math.abs(Math.hypot(...wxyz) - 1) < 1e-3;
}
