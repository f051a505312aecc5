import { describe, expect, it } from "vitest";
import type { Pose } from "../../wire/generated";
import type { Cell } from "../../wire/studio";
import {
  compose,
  frameOf,
  framesOf,
  IDENTITY,
  invert,
  poseInFrame,
  poseInWorld,
  turn,
} from "./cell-geometry";
import { aboutAxis } from "./rotations";

const QUARTER: Pose = { xyz: [1, 2, 3], wxyz: aboutAxis("z", Math.PI / 2) };
const CELL: Cell = {
  name: "c",
  robots: [{ name: "ur", model: "ur3e", pose: { xyz: [0, 0, 1], wxyz: [1, 0, 0, 0] } }],
  frames: [
    { name: "inner", parent: "outer", pose: { xyz: [1, 0, 0], wxyz: [1, 0, 0, 0] } },
    { name: "outer", parent: "ur", pose: QUARTER },
    { name: "lost", parent: "nowhere" },
  ],
  objects: [{ name: "box", frame: "inner", shape: { type: "sphere", radius: 0.1 } }],
  points: [{ name: "p", pose: QUARTER }],
};

function near(a: Pose | undefined, b: Pose): void {
  expect(a).toBeDefined();
  a?.xyz.forEach((value, i) => expect(value).toBeCloseTo(b.xyz[i] ?? NaN, 12));
  a?.wxyz.forEach((value, i) => expect(value).toBeCloseTo(b.wxyz[i] ?? NaN, 12));
}

describe("poses", () => {
  it("turn vectors as rotation matrices do", () => {
    turn(aboutAxis("z", Math.PI / 2), [1, 0, 0]).forEach((value, i) =>
      expect(value).toBeCloseTo([0, 1, 0][i] ?? NaN, 12),
    );
  });

  it("compose with their inverse to nothing", () => {
    near(compose(QUARTER, invert(QUARTER)), IDENTITY);
    near(compose(invert(QUARTER), QUARTER), IDENTITY);
  });

  it("of frames inside frames, whatever their order", () => {
    near(framesOf(CELL).get("inner"), { xyz: [1, 3, 4], wxyz: QUARTER.wxyz });
    expect(framesOf(CELL).has("lost")).toBe(false);
  });

  it("lead from the world to a frame and back", () => {
    const world = poseInWorld(CELL, "box");
    near(world, { xyz: [1, 3, 4], wxyz: QUARTER.wxyz });
    near(poseInFrame(CELL, "inner", world ?? IDENTITY), IDENTITY);
    expect(poseInWorld(CELL, "nothing")).toBeUndefined();
    expect(frameOf(CELL, "box")).toBe("inner");
    expect(frameOf(CELL, "p")).toBe("world");
    expect(frameOf(CELL, "nothing")).toBeUndefined();
  });
});
