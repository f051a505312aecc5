import { Ray, Vector3 } from "three";
import { expect, it } from "vitest";
import { meetFloor } from "./travel";

const out = new Vector3();
const ray = (x: number, y: number, z: number): Ray =>
  new Ray(new Vector3(1, 1.5, 0), new Vector3(x, y, z).normalize());

it("meets the floor where the ray points", () => {
  const there = meetFloor(ray(0, -1, -1), 12, out);
  expect(there?.toArray()).toEqual([1, expect.closeTo(0, 9), expect.closeTo(-1.5, 9)]);
});

it("does not meet it above the horizon, too far away, or from below", () => {
  expect(meetFloor(ray(0, 0.1, -1), 12, out)).toBeNull();
  expect(meetFloor(ray(0, -0.05, -1), 12, out)).toBeNull();
  expect(meetFloor(new Ray(new Vector3(0, -0.2, 0), new Vector3(0, -1, 0)), 12, out)).toBeNull();
});
