import { describe, expect, it } from "vitest";

import { APART, type ArmFrame, divergence, type FramesNow } from "./frames";
import { FOLLOW_S, SentWindow } from "./sent-window";

const FRAME_S = 1 / 60;

const frames = (atS: number, measured: number, sent: number | null): FramesNow => {
  const frame: ArmFrame = {
    measured: [measured],
    sent: sent === null ? null : [sent],
    stateS: atS,
    sentS: sent === null ? NaN : atS,
    intentS: NaN,
    obeyedS: NaN,
  };
  return { "ur/arm": frame };
};

/** Move at a speed with drives that are late, and return the most that is shown. */
function most(speed: number, lateS: number): number {
  const window = new SentWindow();
  let worst = 0;
  for (let t = 0; t < 2; t += FRAME_S) {
    const arm = window.take(frames(10 + t, speed * Math.max(0, t - lateS), speed * t))["ur/arm"];
    if (arm !== undefined) worst = Math.max(worst, divergence(arm));
  }
  return worst;
}

describe("SentWindow", () => {
  it.each([0.3, 1, 3])("does not show an arm at %d rad/s as away that follows late, as arms do", (speed) => {
    expect(most(speed, 0.042)).toBeLessThan(APART);
    expect(most(-speed, 0.15)).toBeLessThan(APART);
  });

  it("shows an arm that does not follow, as far as it is behind what it was sent in time", () => {
    const speed = 0.5;
    expect(most(speed, 0.5)).toBeCloseTo(speed * (0.5 - FOLLOW_S), 1);
  });

  it("shows an arm that was pushed away from where it stands", () => {
    const window = new SentWindow();
    for (let t = 0; t < 1; t += FRAME_S) window.take(frames(10, 0.2, 0.2));
    const arm = window.take(frames(12, 0.25, 0.2))["ur/arm"];
    expect(arm?.apart[0]).toBeCloseTo(0.05);
    expect(arm?.sent).toEqual([0.2]);
  });

  it("shows nothing where nothing counts any more, and starts over after that", () => {
    const window = new SentWindow();
    window.take(frames(10, 0, 1));
    expect(window.take(frames(10.1, 0, null))["ur/arm"]).toEqual({ measured: [0], sent: null, apart: [0] });
    const arm = window.take(frames(10.2, 0, 0.5))["ur/arm"];
    expect(arm?.apart[0]).toBeCloseTo(0.5);
    expect(window.take({})).toEqual({});
  });
});
