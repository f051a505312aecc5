import { describe, expect, it } from "vitest";
import type { Alternative, Cell, Program } from "../../wire/studio";
import { fixFor, turnedAboutZ } from "./steps-fixes";

const pose = { xyz: [0.1, 0.2, 0.3], wxyz: [0, 0, 1, 0] } as const;
const cell: Cell = {
  name: "c",
  points: [
    { name: "pick", pose, frame: "table" },
    { name: "place", pose },
  ],
};
const program: Program = {
  name: "p",
  robot: "ur3e",
  steps: [
    { do: "go to", id: "s1", to: "pick", speed: "v50" },
    { do: "go to", id: "s2", to: "place", how: "line" },
    { do: "go to", id: "s3", to: "place" },
    { do: "wait", id: "s4", seconds: 1 },
    { do: "go to", id: "s5", to: "place", how: "line", offset: { by: [0.01, 0, 0], axes: "tool" } },
  ],
};
const parts = { cell, program, programs: { p: program } };
const q = [1, 2, 3];

describe("another configuration", () => {
  it("changes a point that nothing else uses", () => {
    expect(fixFor(parts, "s1", { kind: "branch", message: "", q })).toEqual({
      how: "point",
      name: "pick",
      edits: [
        {
          edit: "cell",
          command: {
            do: "replace",
            name: "pick",
            item: { name: "pick", pose, frame: "table", robot: "ur3e", arm: "", q },
          },
        },
      ],
    });
  });

  it("gives the step its own point where others go there too", () => {
    const fix = fixFor(parts, "s3", { kind: "branch", message: "", q });
    expect(fix).toMatchObject({ how: "new point", name: "place 2" });
    expect("edits" in fix && fix.edits.at(-1)).toEqual({
      edit: "program",
      program: "p",
      command: { do: "edit", id: "s3", field: "to", value: "place 2" },
    });
  });

  it("of a line is that of the move before it, or a move of the joints", () => {
    expect(fixFor(parts, "s2", { kind: "branch", message: "", q })).toMatchObject({
      how: "point",
      name: "pick",
    });
    expect(fixFor(parts, "s5", { kind: "branch", message: "", q })).toMatchObject({
      how: "joints before",
      edits: [{ command: { do: "insert", action: { do: "move axis", q }, at: { index: 4 } } }],
    });
  });
});

it("turns about the tool's own axis, and says where that cannot be done", () => {
  const [w, x, y, z] = turnedAboutZ([0, 0, 1, 0], Math.PI / 2);
  expect([w, x, y, z].map((one) => Math.round(one * 1e6) / 1e6)).toEqual([0, 0.707107, 0.707107, 0]);
  expect(fixFor(parts, "s5", { kind: "turn", message: "", q, turn_rad: 1 })).toEqual({ cannot: "offset" });
});

it("goes round over the points on the way, at the speed of the step", () => {
  const fix = fixFor(parts, "s1", { kind: "way round", message: "", way: [[1], [2], [3]], q: [3] });
  expect(fix).toMatchObject({ how: "way" });
  expect("edits" in fix && fix.edits.map((one) => one.edit === "program" && one.command)).toEqual([
    {
      do: "insert",
      action: { do: "move axis", q: [1], speed: "v50" },
      at: { parent: "", slot: "steps", index: 0 },
    },
    {
      do: "insert",
      action: { do: "move axis", q: [2], speed: "v50" },
      at: { parent: "", slot: "steps", index: 1 },
    },
  ]);
});

describe("a pick instead of plain steps", () => {
  const steps = ["a", "b", "c"].map((id) => ({ do: "wait", id, seconds: 1 }) as const);
  const program: Program = { name: "p", robot: "r", steps };
  const parts = { cell: { name: "c" }, programs: { p: program }, program };
  const action = { do: "pick", id: "b", part: "block" } as const;
  const offer: Alternative = { kind: "pick", message: "", action, instead_of: ["b", "c"] };

  it("replaces the failing step and removes the others", () => {
    expect(fixFor(parts, "b", offer)).toEqual({
      how: "pick",
      name: "",
      edits: [
        { edit: "program", program: "p", command: { do: "remove", id: "c" } },
        { edit: "program", program: "p", command: { do: "replace", id: "b", action } },
      ],
    });
  });

  it("cannot be done when one of the steps has gone", () => {
    expect(fixFor(parts, "b", { ...offer, instead_of: ["b", "x"] })).toEqual({ cannot: "gone" });
  });
});
