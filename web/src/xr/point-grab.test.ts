import { Euler, Matrix4, Quaternion, Vector3 } from "three";
import { beforeEach, expect, it } from "vitest";
import { makeZUpRoot } from "../scene/up";
import type { Pose } from "../wire/generated";
import type { HandNow } from "./hands";
import { NEAR_M, PointGrab } from "./point-grab";

const T_world_three = makeZUpRoot().matrixWorld.clone().invert();
const T_world_tool = new Matrix4().compose(
  new Vector3(0.4, 0.1, 0.5),
  new Quaternion().setFromEuler(new Euler(Math.PI, 0, 0.3)),
  new Vector3(1, 1, 1),
);
const IDENTITY = new Matrix4();

let told: boolean[];
let wishes: Pose[];
let grab: PointGrab;

beforeEach(() => {
  told = [];
  wishes = [];
  const guided = {
    setDragging: (dragging: boolean) => void told.push(dragging),
    follow: (pose: Pose) => void wishes.push(pose),
  };
  grab = new PointGrab(guided, () => T_world_tool, T_world_three);
});

/** A left hand at a place of the cell's world, turned about its vertical. */
function hand(x: number, y: number, z: number, squeeze: boolean, yaw = 0): HandNow {
  const grip = new Matrix4().makeRotationY(yaw).setPosition(x, z, -y);
  return {
    kind: "controller",
    ray: grip,
    grip,
    select: false,
    squeeze,
    stick: [0, 0],
    stickPress: false,
    lower: false,
    upper: false,
    joints: null,
  };
}

const last = (): Pose => wishes.at(-1) ?? { xyz: [NaN, NaN, NaN], wxyz: [1, 0, 0, 0] };

it("does nothing while no point is made", () => {
  grab.update(hand(0.4, 0.1, 0.5, true), IDENTITY);
  expect([told, wishes]).toEqual([[], []]);
});

it("takes hold of a tool that is near where it is, and carries it along", () => {
  grab.allow(true);
  grab.update(hand(0.45, 0.1, 0.5, false), IDENTITY);
  grab.update(hand(0.45, 0.1, 0.5, true), IDENTITY);
  expect(last().xyz).toEqual([expect.closeTo(0.4, 9), expect.closeTo(0.1, 9), expect.closeTo(0.5, 9)]);
  grab.update(hand(0.45, 0.3, 0.7, true), IDENTITY);
  expect(last().xyz).toEqual([expect.closeTo(0.4, 9), expect.closeTo(0.3, 9), expect.closeTo(0.7, 9)]);
  grab.update(hand(0.45, 0.3, 0.7, false), IDENTITY);
  expect(told).toEqual([true, false]);
});

it("a tool that is far comes to the hand, and keeps how it is turned until the hand turns", () => {
  grab.allow(true);
  grab.update(hand(1.2, 0, 0.9, true), IDENTITY);
  expect(last().xyz).toEqual([expect.closeTo(1.2, 9), expect.closeTo(0, 9), expect.closeTo(0.9, 9)]);
  const before = new Quaternion().setFromRotationMatrix(T_world_tool);
  const [w, x, y, z] = last().wxyz;
  expect(new Quaternion(x, y, z, w).angleTo(before)).toBeLessThan(1e-6);
  grab.update(hand(1.2, 0, 0.9, true, 0.5), IDENTITY);
  const [w2, x2, y2, z2] = last().wxyz;
  // The hand turns about the vertical, which is z in the cell.
  const wanted = new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), 0.5).multiply(before);
  expect(new Quaternion(x2, y2, z2, w2).angleTo(wanted)).toBeLessThan(1e-6);
});

it("before a model, the hand's way is larger in the cell", () => {
  const space = new Matrix4().makeScale(8, 8, 8);
  grab.allow(true);
  const at = (x: number): HandNow => hand(x / 8, 0.1 / 8, 0.5 / 8, true);
  grab.update(at(0.4 + 0.9 * NEAR_M * 8), space);
  const began = last().xyz[0];
  expect(began).toBeCloseTo(0.4, 9);
  grab.update(at(0.4 + 0.9 * NEAR_M * 8 + 0.2), space);
  expect(last().xyz[0] - began).toBeCloseTo(0.2, 9);
});

it("a grip that was closed before the point was begun takes nothing", () => {
  grab.update(hand(0.4, 0.1, 0.5, true), IDENTITY);
  grab.allow(true);
  grab.update(hand(0.4, 0.1, 0.5, true), IDENTITY);
  expect(told).toEqual([]);
});

it("a hand that goes lets go", () => {
  grab.allow(true);
  grab.update(hand(0.4, 0.1, 0.5, true), IDENTITY);
  grab.update(null, IDENTITY);
  expect(told).toEqual([true, false]);
  grab.update(hand(0.4, 0.1, 0.5, true), IDENTITY);
  expect(told).toEqual([true, false, true]);
});

it("bare hands guide by a pinch", () => {
  grab.allow(true);
  grab.pinch();
  grab.update(hand(0.4, 0.1, 0.5, false), IDENTITY);
  expect(grab.held).toBe(true);
  grab.release();
  grab.update(hand(0.4, 0.1, 0.5, false), IDENTITY);
  expect(told).toEqual([true, false]);
});
