/**
 * SentWindow: how far arms are from where they were sent. An arm that follows as it should is behind its newest setpoint by
 * what the controller and its drives take; it is away only where it is outside of everything that it was sent lately.
 */

import type { ArmJoints, ArmFrame, FramesNow, JointsNow } from "./frames";

/** A joint has to be where it was sent within this time. The gate holds a robot that is not: docs/gate.md. */
export const FOLLOW_S = 0.2;

interface Sent {
  readonly atS: number;
  readonly q: readonly number[];
}

export class SentWindow {
  readonly #lately = new Map<string, Sent[]>();

  /** Take a message; return what is shown of its arms. */
  take(frames: FramesNow): JointsNow {
    for (const arm of this.#lately.keys()) if (!(arm in frames)) this.#lately.delete(arm);
    return Object.fromEntries(Object.entries(frames).map(([arm, frame]) => [arm, this.#shown(arm, frame)]));
  }

  /** Forget everything: the robots have gone. */
  clear(): void {
    this.#lately.clear();
  }

  #shown(arm: string, { measured, sent, stateS, sentS }: ArmFrame): ArmJoints {
    if (sent === null) {
      this.#lately.delete(arm);
      return { measured, sent, apart: measured.map(() => 0) };
    }
    const lately = this.#lately.get(arm) ?? [];
    this.#lately.set(arm, lately);
    if (lately.at(-1)?.atS !== sentS) lately.push({ atS: sentS, q: sent });
    // The last one before the window still counts: the arm was on its way from there when it began.
    while (lately.length > 1 && (lately[1]?.atS ?? Infinity) <= stateS - FOLLOW_S) lately.shift();
    const apart = measured.map((value, i) => {
      const values = lately.map(({ q }) => q[i] ?? value);
      return Math.max(Math.min(...values) - value, value - Math.max(...values), 0);
    });
    return { measured, sent, apart };
  }
}
