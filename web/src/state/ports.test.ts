import { expect, test } from "vitest";
import { fixedPorts, portHint, takenPorts, wireOf } from "./ports";

test("a UR has 18 outputs and as many inputs; others are typed", () => {
  expect(fixedPorts("ur", "out")).toHaveLength(18);
  expect(fixedPorts("ur", "in")).toContain("tool_in_1");
  expect(fixedPorts("abb", "out")).toEqual([]);
  expect(portHint("vplus", "in")).toBe("wiring.port.vplus.in");
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
