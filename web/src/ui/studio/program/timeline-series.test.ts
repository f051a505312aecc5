import { describe, expect, it } from "vitest";
import type { Program, Simulated } from "../../../wire/studio";
import { armOf, linesOf, margins, zoomed } from "./timeline-series";

const recording: Simulated = {
  type: "recorded",
  id: 1,
  program: "p",
  seq: 0,
  t: [0, 1],
  q: {
    "yumi/left": [[0, 1]],
    "ur/arm": [
      [0, Math.PI],
      [1, 2],
    ],
  },
  openings: {},
  tools: {},
  speeds: { "yumi/left": [0, 0], "ur/arm": [0, 0.25] },
  distance_m: [0.5, 0.002],
  parts: {},
  steps: [],
  status: "done",
  message: "",
};
const program: Program = { name: "p", robot: "ur" };
const units = { length: "mm", angle: "deg" } as const;

describe("lines of a recording", () => {
  const lines = (tab: "speed" | "joints" | "clearance") =>
    linesOf(tab, recording, program, units, (n) => `A${n}`);

  it("are of the program's arm, in the person's units", () => {
    expect(armOf(recording, program)).toBe("ur/arm");
    expect(lines("speed").lines.map(({ label, values }) => [label, [...values]])).toEqual([
      ["ur/arm", [0, 250]],
    ]);
    expect([...(lines("clearance").lines[0]?.values ?? [])]).toEqual([500, 2]);
    expect(lines("joints").lines.map(({ label }) => label)).toEqual(["A1", "A2"]);
    expect(lines("joints").lines[1]?.values[0]).toBeCloseTo(180);
  });
});

describe("zoom", () => {
  it("keeps the time under the pointer, and never shows what is not there", () => {
    expect(zoomed([0, 10], 5, 0.5, 10)).toEqual([2.5, 7.5]);
    expect(zoomed([2, 4], 4, 4, 10)).toEqual([0, 8]);
    expect(zoomed([2.5, 7.5], 5, 10, 10)).toEqual([0, 10]);
  });
});

it("leaves room about lines, and has numbers to write beside one that is level", () => {
  expect(margins(0, 100, true)).toEqual([0, 108]);
  expect(margins(0, 0, true)).toEqual([0, 1]);
  expect(margins(30, 30, false)).toEqual([29.5, 30.5]);
});
