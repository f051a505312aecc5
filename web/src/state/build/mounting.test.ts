import { describe, expect, it } from "vitest";
import type { RobotInfo } from "../../wire/generated";
import type { Cell, CellTool } from "../../wire/studio";
import { carrierOf, mountCommands, onlyArm, outputFor, toolFrom } from "./mounting";

const pose = { xyz: [0, 0, 0.1], wxyz: [1, 0, 0, 0] } as const;
const cup: CellTool = { name: "cup", tcp: pose };
const cell: Cell = { name: "c", robots: [{ name: "left", model: "one" }], tools: [cup] };
const two: Cell = { ...cell, robots: [...(cell.robots ?? []), { name: "right", model: "one" }] };
const info = (names: readonly string[], arms: readonly string[] = ["arm"]): RobotInfo =>
  ({
    arms: arms.map((name) => ({ name, tool: null })),
    outputs: { names, ranges: [] },
  }) as unknown as RobotInfo;
const one = (): RobotInfo => info(["out_0", "out_1"]);

describe("a new tool", () => {
  it("is mounted where there is one arm, and left alone where there is a choice", () => {
    expect(onlyArm(cell, cup, one)).toEqual({ robot: "left", arm: "arm" });
    expect(onlyArm(two, cup, one)).toBeNull();
    expect(onlyArm(cell, cup, () => info([], ["left", "right"]))).toBeNull();
    expect(onlyArm(cell, cup, () => null)).toBeNull();
    expect(onlyArm({ name: "c" }, cup, one)).toBeNull();
    expect(onlyArm(cell, { ...cup, catalogue: "gripper" }, one)).toBeNull();
  });

  it("gets an output on the first free port", () => {
    const mount = { robot: "left", arm: "arm" };
    expect(outputFor(cell, "grip", mount, one)).toEqual({
      name: "grip",
      kind: "out",
      robot: "left",
      port: "out_0",
    });
    const wired = outputFor(cell, "grip", mount, one);
    expect(outputFor({ ...cell, signals: [wired] }, "grip", mount, one)).toMatchObject({
      name: "grip 2",
      port: "out_1",
    });
    expect(outputFor(cell, "grip", mount, () => info([]))).toEqual({ name: "grip", kind: "out" });
    expect(outputFor(cell, "grip", null, one)).toEqual({ name: "grip", kind: "out" });
  });
});

it("moves from one arm to another by one command for each robot", () => {
  const held: Cell = {
    ...two,
    robots: [{ name: "left", model: "one", tools: { arm: "cup" } }, ...(two.robots ?? []).slice(1)],
  };
  expect(carrierOf(held, "cup")).toEqual({ robot: "left", arm: "arm" });
  expect(mountCommands(held, "cup", { robot: "right", arm: "arm" })).toEqual([
    { do: "replace", name: "left", item: { name: "left", model: "one", tools: { arm: null } } },
    { do: "replace", name: "right", item: { name: "right", model: "one", tools: { arm: "cup" } } },
  ]);
  expect(mountCommands(held, "cup", { robot: "left", arm: "arm" })).toEqual([]);
});

it("makes a tool of a part, its end at the flange and its TCP at the other", () => {
  expect(
    toolFrom({ name: "rod", shape: { type: "cylinder", radius: 0.01, length: 0.2 }, color: "#112233" }),
  ).toMatchObject({
    tcp: { xyz: [0, 0, 0.2] },
    parts: [{ pose: { xyz: [0, 0, 0.1] }, color: "#112233" }],
  });
});
