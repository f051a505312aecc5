import { expect, test } from "vitest";
import type { ForwardReply, RobotInfo } from "../../wire/generated";
import type { Cell } from "../../wire/studio";
import { type Apart, askTaughtPlace, isElsewhere } from "./taught-place";

const arm = { name: "arm", joints: [{}, {}], bases: [{ name: "root" }], base: "foot", flange: "flange" };
const info = { name: "ur3e", root: "root", arms: [arm] } as unknown as RobotInfo;
const wxyz = [1, 0, 0, 0] as const;
const cell = (z: number, q: readonly number[] | null): Cell => ({
  name: "c",
  robots: [{ name: "ur", model: "ur3e", pose: { xyz: [0, 1, 0], wxyz } }],
  points: [{ name: "p", pose: { xyz: [0, 1, z], wxyz }, robot: "ur", q }],
});

function ask(z: number, q: readonly number[] | null = [0, 0]): Apart | null {
  let found: Apart | null = null;
  const pose = { xyz: [0, 0, 0.45], wxyz } as const;
  const line = {
    forward: (_: unknown, answered: (answer: ForwardReply) => void) => answered({ pose } as ForwardReply),
  };
  askTaughtPlace(cell(z, q), "p", info, line, (apart) => (found = apart));
  return found;
}

test("a point is elsewhere once its numbers are not those it was taught with", () => {
  expect(ask(0.5)?.distance).toBeCloseTo(0.05, 12);
  expect(isElsewhere(ask(0.5) ?? { distance: 0, angle: 0 })).toBe(true);
  expect(isElsewhere(ask(0.45) ?? { distance: 1, angle: 0 })).toBe(false);
  expect(ask(0.45, null)).toBeNull();
});
