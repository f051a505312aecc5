import { expect, test } from "vitest";
import type { PortsInfo, RobotInfo } from "../../wire/generated";
import { portHint, portsOf, takenPorts, wireOf } from "./ports";

test("ports are what the robot's maker calls them", () => {
  const typed: PortsInfo = { names: [], ranges: [], example: "" };
  const inputs: PortsInfo = {
    ...typed,
    ranges: [
      [1001, 1512],
      [2001, 2512],
    ],
  };
  const info = { inputs, outputs: { ...typed, names: ["magnet"] } } as unknown as RobotInfo;
  expect(portsOf(info, "out")?.names).toEqual(["magnet"]);
  expect(portHint(portsOf(info, "in"))).toBe("A number: 1001 to 1512, 2001 to 2512.");
  expect(portHint({ ...typed, example: "doGrip" })).toBe("Its name on the controller, such as doGrip.");
  expect(portHint(portsOf(undefined, "in"))).toBe("Its name on the controller.");
});

test("knows which ports of a robot other signals have", () => {
  const signals = [
    { name: "grip", kind: "out", robot: "a", port: "standard_out_0" },
    { name: "lamp", kind: "out", robot: "b", port: "standard_out_1" },
    { name: "free", kind: "out" },
  ] as const;
  expect([...takenPorts({ name: "c", signals }, "a", "lamp")]).toEqual([["standard_out_0", "grip"]]);
  expect(takenPorts({ name: "c", signals }, "a", "grip").size).toBe(0);
  expect(wireOf(signals[0])).toBe("a · standard_out_0");
  expect(wireOf(signals[2])).toBe("");
});
