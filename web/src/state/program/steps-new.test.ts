import { describe, expect, it } from "vitest";
import type { Program } from "../../wire/studio";
import { ACTION_KINDS, draftStep, freeName, programName, type Surroundings } from "./steps-new";

const pose = { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] } as const;
const program: Program = {
  name: "p",
  robot: "ur3e",
  steps: [
    { do: "go to", id: "s1", to: "a", speed: "v500" },
    { do: "wait", id: "s2", seconds: 1 },
  ],
};
const around: Surroundings = {
  cell: {
    name: "c",
    points: [
      { name: "a", pose },
      { name: "b", pose, robot: "ur3e" },
      { name: "x", pose, robot: "irb120" },
    ],
  },
  program,
  programs: { p: program },
  selection: [],
  q: [0, 1],
  words: { group: "G", comment: "C" },
};
const end = { parent: "", slot: "steps", index: 2 } as const;

describe("a new move", () => {
  it("goes to the next point, at the speed of the move before", () => {
    expect(draftStep("go to", around, end)).toEqual({ action: { do: "go to", to: "b", speed: "v500" } });
    expect(draftStep("go to", around, { ...end, index: 0 })).toEqual({ action: { do: "go to", to: "a" } });
  });

  it("goes to the selected point", () => {
    expect(draftStep("go to", { ...around, selection: ["table", "x"] }, end)).toMatchObject({
      action: { to: "x" },
    });
  });

  it("needs a point", () => {
    expect(draftStep("go to", { ...around, cell: { name: "c" } }, end)).toEqual({ lacks: "point" });
  });
});

it("says what every other kind lacks, or makes it", () => {
  const made = Object.fromEntries(ACTION_KINDS.map((kind) => [kind, draftStep(kind, around, end)]));
  expect(made).toMatchObject({
    pick: { lacks: "part" },
    place: { lacks: "part" },
    "move axis": { action: { q: [0, 1] } },
    "set output": { lacks: "output" },
    "wait input": { lacks: "input" },
    set: { lacks: "variable" },
    call: { lacks: "program" },
    if: { action: { condition: "true" } },
  });
  expect(ACTION_KINDS).toHaveLength(16);
});

describe("a new pick", () => {
  const shape = { type: "box", size: [1, 1, 1] } as const;
  const objects = ["table", "block 1", "block 2"].map((name) => ({
    name,
    shape,
    graspable: name !== "table",
  }));
  const cell = { ...around.cell, objects };
  const steps = [{ do: "pick", id: "s3", part: "block 1" }] as const;
  const after = { ...around, cell, program: { ...program, steps } };

  it("takes the selected part, or the next one that is left", () => {
    expect(draftStep("pick", { ...around, cell }, end)).toEqual({ action: { do: "pick", part: "block 1" } });
    expect(draftStep("pick", after, end)).toEqual({ action: { do: "pick", part: "block 2" } });
    expect(draftStep("pick", { ...after, selection: ["block 1"] }, end)).toMatchObject({
      action: { part: "block 1" },
    });
  });

  it("is followed by a place of the same part, at the selected point", () => {
    expect(draftStep("place", after, end)).toEqual({ action: { do: "place", part: "block 1" } });
    expect(draftStep("place", { ...after, selection: ["b"] }, end)).toEqual({
      action: { do: "place", part: "block 1", at: "b" },
    });
  });
});

it("finds names that are free", () => {
  expect(freeName("pick", ["pick", "pick 2"])).toBe("pick 3");
  expect(programName("Ponte à côté!", [])).toBe("ponte_a_cote");
  expect(programName("Sort", ["sort"])).toBe("sort_2");
  expect(programName("…", [])).toBe("program");
});
