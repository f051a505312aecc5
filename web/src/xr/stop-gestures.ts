/**
 * StopGestures: what stops all robots without pointing at anything: B and Y pressed together, or both palms open to the
 * front for half a second. B or Y alone is Back, when it is let go.
 */

import type { Side } from "./presses";

/** Long enough that hands which swing past are not meant. */
export const PALMS_MS = 500;

export interface StopInput {
  /** B and Y. */
  readonly back: Readonly<Record<Side, boolean>>;
  /** Whether the palm is open to the front. */
  readonly palm: Readonly<Record<Side, boolean>>;
}

export interface StopOutcome {
  readonly stop: boolean;
  /** B or Y was pressed and let go, and the other one was not pressed meanwhile. */
  readonly back: boolean;
}

const NOTHING: StopOutcome = { stop: false, back: false };
const STOP: StopOutcome = { stop: true, back: false };
const BACK: StopOutcome = { stop: false, back: true };

export class StopGestures {
  #down = false;
  /** Both were down since the first was pressed: no Back comes of it. */
  #both = false;
  #palmsSinceMs: number | null = null;
  #palmsDone = false;

  /** Look at the hands, once a frame. */
  update(nowMs: number, { back, palm }: StopInput): StopOutcome {
    if (this.#palms(nowMs, palm.left && palm.right)) return STOP;
    if (back.left && back.right) {
      const first = !this.#both;
      this.#down = this.#both = true;
      return first ? STOP : NOTHING;
    }
    if (back.left || back.right) {
      this.#down = true;
      return NOTHING;
    }
    const isBack = this.#down && !this.#both;
    this.#down = this.#both = false;
    return isBack ? BACK : NOTHING;
  }

  /** The hands are not to be seen any more. */
  forget(): void {
    this.#down = this.#both = this.#palmsDone = false;
    this.#palmsSinceMs = null;
  }

  #palms(nowMs: number, open: boolean): boolean {
    if (!open) {
      this.#palmsSinceMs = null;
      this.#palmsDone = false;
      return false;
    }
    this.#palmsSinceMs ??= nowMs;
    if (this.#palmsDone || nowMs - this.#palmsSinceMs < PALMS_MS) return false;
    this.#palmsDone = true;
    return true;
  }
}
