import { expect, it } from "vitest";
import { anchorsOf, measure, Measuring } from "./measurement";

const spot = (x: number, y: number, z: number) => ({ at: [x, y, z] as const, on: "a", sharp: true });

it("takes two places, and starts over with the third", () => {
  const measuring = new Measuring();
  measuring.press();
  expect(measuring.from.value).toBeNull();
  measuring.here.set(spot(0, 0, 0));
  measuring.press();
  measuring.here.set(spot(3, 4, 12));
  measuring.press();
  const { from, to } = measuring;
  expect(from.value && to.value && measure(from.value, to.value)).toEqual({ distance: 13, by: [3, 4, 12] });
  measuring.press();
  expect(to.value).toBeNull();
  expect(from.value?.at).toEqual([3, 4, 12]);
  expect(measuring.clear()).toBe(true);
  expect(measuring.clear()).toBe(false);
});

it("knows the corners, edges and faces of a box", () => {
  const anchors = anchorsOf({ type: "box", size: [2, 4, 6] });
  expect(anchors).toHaveLength(26);
  expect(anchors).toContainEqual([1, -2, 3]);
  expect(anchors).toContainEqual([0, -2, 3]);
  expect(anchorsOf({ type: "cylinder", radius: 1, length: 2 })).toContainEqual([0, 0, 1]);
  expect(anchorsOf({ type: "mesh", file: "a.stl" })).toEqual([]);
});
