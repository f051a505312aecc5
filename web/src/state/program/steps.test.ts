import { describe, expect, it } from "vitest";
import type { Action, Program } from "../../wire/studio";
import {
  bare,
  findStep,
  idOf,
  movesTo,
  outermost,
  rowsOf,
  spotBeside,
  walkSteps,
  without,
  withStep,
} from "./steps";

const wait = (id: string): Action => ({ do: "wait", id, seconds: 1 });
const program: Program = {
  name: "p",
  robot: "r",
  steps: [
    wait("a"),
    { do: "group", id: "g", title: "G", steps: [wait("b"), wait("c")] },
    { do: "if", id: "i", condition: "true", enabled: false, steps: [], otherwise: [wait("d")] },
    wait("e"),
  ],
};

/** Do moves as the server does: take out, then put in. */
function moved(ids: readonly string[], parent: string, slot: "steps" | "otherwise", index: number): string {
  let steps = program.steps ?? [];
  for (const { id, to } of movesTo(program, ids, { parent, slot, index })) {
    const found = findStep({ ...program, steps }, id);
    if (found === null) throw new Error(id);
    steps = withStep(without(steps, id), found[0], {
      parent: to.parent ?? "",
      slot: to.slot ?? "steps",
      index: to.index ?? 0,
    });
  }
  return [...walkSteps(steps)].map(([one, spot]) => `${spot.parent}${spot.index}${idOf(one)}`).join(" ");
}

describe("rows", () => {
  it("numbers steps as the check does and marks what is empty or off", () => {
    const rows = rowsOf(program, new Set());
    expect(rows.map((row) => (row.kind === "step" ? row.number : row.kind))).toEqual([
      "1",
      "2",
      "2.1",
      "2.2",
      "3",
      "hole",
      "otherwise",
      "3.e1",
      "4",
    ]);
    expect(rows.filter((row) => row.kind === "step" && !row.active).map(({ key }) => key)).toEqual([
      "i",
      "d",
    ]);
  });

  it("leaves out what is folded", () => {
    expect(rowsOf(program, new Set(["g", "i"])).map(({ key }) => key)).toEqual(["a", "g", "i", "e"]);
  });
});

describe("moving", () => {
  it("counts places as if the moved step were not there", () => {
    expect(moved(["a"], "", "steps", 4)).toBe("0g g0b g1c 1i i0d 2e 3a");
    expect(moved(["e"], "", "steps", 0)).toBe("0e 1a 2g g0b g1c 3i i0d");
    expect(moved(["a"], "g", "steps", 1)).toBe("0g g0b g1a g2c 1i i0d 2e");
  });

  it("keeps several in their order, from wherever they come", () => {
    expect(moved(["e", "b", "a"], "i", "otherwise", 0)).toBe("0g g0c 1i i0a i1b i2e i3d");
    expect(moved(["a", "g"], "", "steps", 4)).toBe("0i i0d 1e 2a 3g g0b g1c");
  });

  it("does not put a step into itself, and does nothing where nothing changes", () => {
    expect(movesTo(program, ["g"], { parent: "g", slot: "steps", index: 0 })).toEqual([]);
    expect(movesTo(program, ["a"], { parent: "", slot: "steps", index: 1 })).toEqual([]);
  });

  it("steps into open neighbours and out at the ends", () => {
    const none = new Set<string>();
    expect(spotBeside(program, ["a"], 1, none)).toEqual({ parent: "g", slot: "steps", index: 0 });
    expect(spotBeside(program, ["a"], 1, new Set(["g"]))).toEqual({ parent: "", slot: "steps", index: 2 });
    expect(spotBeside(program, ["b"], -1, none)).toEqual({ parent: "", slot: "steps", index: 1 });
    expect(spotBeside(program, ["c"], 1, none)).toEqual({ parent: "", slot: "steps", index: 2 });
    expect(spotBeside(program, ["d"], -1, none)).toEqual({ parent: "i", slot: "steps", index: 0 });
    expect(spotBeside(program, ["a"], -1, none)).toBeNull();
  });
});

it("takes of nested steps the outer ones, in order", () => {
  expect(outermost(program, ["e", "c", "g"])).toEqual(["g", "e"]);
});

it("copies without ids", () => {
  expect(bare({ do: "group", id: "g", title: "G", steps: [wait("b")] })).toEqual({
    do: "group",
    title: "G",
    steps: [{ do: "wait", seconds: 1 }],
  });
});
