/**
 * InputDelay: how long a hand on this page takes to be obeyed and seen. Each intent comes back with the stamp of its
 * sample, so both times are differences on one clock each: on the server's until its setpoint was sent, and on the page's
 * until a state that came later is here.
 */

import type { ArmFrame } from "./frames";

/** Medians of the last samples, milliseconds. */
export interface InputDelays {
  /** From the sample of the hand to the first setpoint that follows it. */
  readonly setpointMs: number;
  /** From the sample of the hand to a state on this page that was measured after that setpoint. */
  readonly pageMs: number;
}

/** One sample of a hand on its way, milliseconds since it was taken. */
export interface HandTrace {
  /** When the sample was taken, on the page's clock. */
  readonly atMs: number;
  /** The first setpoint was sent that follows it. */
  readonly setpointMs: number;
  /** A state was received from the controller that is later than that setpoint. */
  readonly stateMs: number;
  /** That state was on this page. */
  readonly pageMs: number;
}

/** And its end. */
export interface SeenTrace extends HandTrace {
  /** The page began the picture that shows it. */
  readonly pictureMs: number;
}

const KEPT = 15;

export class InputDelay {
  readonly #setpoint: number[] = [];
  readonly #page: number[] = [];
  #newest = NaN;
  #trace: HandTrace | null = null;

  /** What the last message has told of a sample that was not known before; null: nothing. */
  get trace(): HandTrace | null {
    return this.#trace;
  }

  /**
   * Take a message about the arm that is moved from here.
   *
   * @param frame what it says of the arm
   * @param offsetS what the server adds to this page's clock
   * @param nowMs when it came, on this page's clock
   */
  take({ stateS, intentS, obeyedS }: ArmFrame, offsetS: number, nowMs: number): InputDelays | null {
    // Comparisons with NaN are false: then nothing was sent for a hand.
    this.#trace = null;
    if (stateS > obeyedS && intentS !== this.#newest) {
      this.#newest = intentS;
      const atMs = 1000 * (intentS - offsetS);
      const [setpointMs, stateMs] = [1000 * (obeyedS - intentS), 1000 * (stateS - intentS)];
      this.#trace = { atMs, setpointMs, stateMs, pageMs: nowMs - atMs };
      keep(this.#setpoint, setpointMs);
      keep(this.#page, this.#trace.pageMs);
    }
    if (this.#page.length === 0) return null;
    return { setpointMs: median(this.#setpoint), pageMs: median(this.#page) };
  }

  /** Start over: another hand, or another server. */
  clear(): void {
    this.#setpoint.length = this.#page.length = 0;
    this.#newest = NaN;
    this.#trace = null;
  }
}

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > KEPT) values.shift();
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
