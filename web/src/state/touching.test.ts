import { describe, expect, test } from "vitest";
import type { Pose } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { WELD_PRESETS } from "./building-weld";
import { turn } from "./cell-geometry";
import { touchPose } from "./touching";

const cell: Cell = {
  name: "c",
  objects: [
    { name: "box", shape: { type: "box", size: [0.2, 0.2, 0.2] } },
    { name: "ball", shape: { type: "sphere", radius: 0.1 } },
  ],
};
const DOWN: Pose = { xyz: [0.5, 0, 0.5], wxyz: [0, 1, 0, 0] };
const [, fillet] = WELD_PRESETS;
if (fillet === undefined) throw new Error("no presets");

describe("a click on a surface", () => {
  test("brings the tool's point there, its z into the surface, turned as little as can be", () => {
    const pose = touchPose(cell, DOWN, { name: "ball", at: [0.1, 0, 0], normal: [1, 0, 0] }, fillet);
    expect(pose.xyz).toEqual([0.1, 0, 0]);
    expect(turn(pose.wxyz, [0, 0, 1])[0]).toBeCloseTo(-1);
    const top = touchPose(cell, DOWN, { name: "box", at: [0.03, 0.02, 0.1], normal: [0, 0, 1] }, fillet);
    expect(top.xyz).toEqual([0.03, 0.02, 0.1]);
    expect(turn(top.wxyz, [1, 0, 0])[0]).toBeCloseTo(1);
  });

  test("near an edge of a box is on the edge, at the angle of the weld", () => {
    const pose = touchPose(cell, DOWN, { name: "box", at: [0.095, 0.02, 0.1], normal: [0, 0, 1] }, fillet);
    expect(pose.xyz[0]).toBeCloseTo(0.1);
    expect(pose.xyz[1]).toBeCloseTo(0.02);
    const z = turn(pose.wxyz, [0, 0, 1]);
    const lean = Math.cos((10 * Math.PI) / 180) * Math.SQRT1_2;
    expect([z[0], z[2]].map((value) => value.toFixed(6))).toEqual(
      [-lean, -lean].map((one) => one.toFixed(6)),
    );
  });
});
