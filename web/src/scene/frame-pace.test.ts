import { expect, test } from "vitest";
import { FramePace } from "./frame-pace";

/** Draw whenever it is allowed, in frames `frameMs` apart or `tookMs` after a picture; return when was drawn. */
function draw(pace: FramePace, tookMs: number, untilMs: number, frameMs = 16): number[] {
  const drawn: number[] = [];
  for (let nowMs = 0; nowMs < untilMs;) {
    if (pace.begins(nowMs)) {
      drawn.push(nowMs);
      pace.drawn(nowMs);
      nowMs += Math.max(tookMs, frameMs);
    } else {
      nowMs += frameMs;
    }
  }
  return drawn;
}

test("a fast machine draws in every frame, with shadows", () => {
  const pace = new FramePace();
  expect(draw(pace, 5, 1600)).toHaveLength(100);
  expect(pace.frugal).toBe(false);
});

test("slow pictures take at most about half of the time, and lose their moving shadows", () => {
  const pace = new FramePace();
  const drawn = draw(pace, 200, 4000);
  expect(drawn.length).toBeGreaterThanOrEqual(9);
  expect(drawn.length).toBeLessThanOrEqual(10);
  expect(pace.frugal).toBe(true);
});

test("one slow picture, or a page that was hidden, changes nothing", () => {
  const pace = new FramePace();
  draw(pace, 200, 300);
  draw(pace, 60_000, 300_000);
  draw(pace, 5, 500);
  expect(pace.frugal).toBe(false);
});

test("where the processor draws, every picture is followed by a rest", () => {
  const pace = new FramePace(true);
  expect(pace.frugal).toBe(true);
  pace.drawn(0);
  expect(pace.begins(30)).toBe(false);
  expect(pace.begins(61)).toBe(true);
});

test("no more pictures are drawn in a second than are asked for, however quick they are", () => {
  expect(draw(new FramePace(false, 10), 5, 10_000, 4)).toHaveLength(100);
  expect(draw(new FramePace(true, 10), 16, 10_000, 4)).toHaveLength(100);
});

test("slow pictures still take at most about half of the time where a rate is asked for", () => {
  const drawn = draw(new FramePace(true, 10), 200, 4000);
  expect(drawn.length).toBeGreaterThanOrEqual(9);
  expect(drawn.length).toBeLessThanOrEqual(10);
});
