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
    "move axis": { action: { q: [0, 1] } },
    "set output": { lacks: "output" },
    "wait input": { lacks: "input" },
    set: { lacks: "variable" },
    call: { lacks: "program" },
    if: { action: { condition: "true" } },
  });
  expect(ACTION_KINDS).toHaveLength(14);
});

it("finds names that are free", () => {
  expect(freeName("pick", ["pick", "pick 2"])).toBe("pick 3");
  expect(programName("Ponte à côté!", [])).toBe("ponte_a_cote");
  expect(programName("Sort", ["sort"])).toBe("sort_2");
  expect(programName("…", [])).toBe("program");
});
