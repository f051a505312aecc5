import { expect, it } from "vitest";
import { PALMS_MS, StopGestures } from "./stop-gestures";

const hands = (b: boolean, y: boolean, left = false, right = false) => ({
  back: { left: y, right: b },
  palm: { left, right },
});
const none = hands(false, false);

it("B and Y together stop at once, once, and are no Back", () => {
  const gestures = new StopGestures();
  expect(gestures.update(0, hands(true, false))).toEqual({ stop: false, back: false });
  expect(gestures.update(10, hands(true, true))).toEqual({ stop: true, back: false });
  expect(gestures.update(20, hands(true, true)).stop).toBe(false);
  expect(gestures.update(30, hands(false, true))).toEqual({ stop: false, back: false });
  expect(gestures.update(40, none)).toEqual({ stop: false, back: false });
  expect(gestures.update(50, hands(true, true)).stop).toBe(true);
});

it("one of them alone is Back when it is let go", () => {
  const gestures = new StopGestures();
  expect(gestures.update(0, hands(false, true)).back).toBe(false);
  expect(gestures.update(10, none)).toEqual({ stop: false, back: true });
  expect(gestures.update(20, none).back).toBe(false);
});

it("both palms stop after half a second, once", () => {
  const gestures = new StopGestures();
  const open = hands(false, false, true, true);
  expect(gestures.update(1000, open).stop).toBe(false);
  expect(gestures.update(1000 + PALMS_MS - 1, open).stop).toBe(false);
  expect(gestures.update(1000 + PALMS_MS, open).stop).toBe(true);
  expect(gestures.update(3000, open).stop).toBe(false);
});

it("a palm that closes or turns begins anew", () => {
  const gestures = new StopGestures();
  const open = hands(false, false, true, true);
  gestures.update(0, open);
  gestures.update(PALMS_MS - 1, hands(false, false, true, false));
  expect(gestures.update(PALMS_MS + 1, open).stop).toBe(false);
  expect(gestures.update(2 * PALMS_MS, open).stop).toBe(false);
  expect(gestures.update(2 * PALMS_MS + 1, open).stop).toBe(true);
});

it("one palm is a greeting", () => {
  const gestures = new StopGestures();
  for (let ms = 0; ms < 3000; ms += 10)
    expect(gestures.update(ms, hands(false, false, false, true)).stop).toBe(false);
});
