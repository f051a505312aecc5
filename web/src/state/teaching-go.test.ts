import { expect, test } from "vitest";
import type { ArmInfo } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { wishToPoint } from "./teaching-go";

const pose = { xyz: [0, 0, 0.1], wxyz: [1, 0, 0, 0] } as const;
const q = [0, 1];
const cell: Cell = {
  name: "c",
  frames: [{ name: "bench", pose: { xyz: [1, 0, 0], wxyz: [1, 0, 0, 0] } }],
  points: [
    { name: "own", pose, robot: "ur3e", q },
    { name: "other", pose, robot: "yumi", arm: "left", q },
    { name: "free", pose, frame: "bench" },
  ],
};
const arm = { name: "arm", joints: [{}, {}] } as unknown as ArmInfo;

test("a robot goes to its own points by their joints, to others by their place in the world", () => {
  expect(wishToPoint(cell, "own", "ur3e", arm, 0.3)).toEqual({ type: "joints", target: q, scale: 0.3 });
  for (const [name, x] of [
    ["other", 0],
    ["free", 1],
  ] as const)
    expect(wishToPoint(cell, name, "ur3e", arm, 0.3)).toMatchObject({
      type: "pose",
      frame: "world",
      pose: { xyz: [x, 0, 0.1] },
    });
  expect(wishToPoint(cell, "nobody", "ur3e", arm, 0.3)).toBeNull();
});
