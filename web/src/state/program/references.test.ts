import { describe, expect, it } from "vitest";
import type { Action, Program } from "../../wire/studio";
import { needsOf, removalsOf } from "./references";

const program = (name: string, robot: string, steps: readonly Action[]): Program => ({ name, robot, steps });
const programs = {
  inner: program("inner", "ur3e", [{ do: "go to", id: "s1", to: "start" }]),
  outer: program("outer", "ur3e", [{ do: "call", id: "s1", program: "inner" }]),
  other: program("other", "yumi", [
    { do: "call", id: "s1", program: "outer" },
    {
      do: "if",
      id: "s2",
      condition: "'part present' and n < 3",
      steps: [{ do: "go to", id: "s3", to: { pose: { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] }, frame: "tray" } }],
    },
    { do: "set output", id: "s4", signal: "lamp" },
    { do: "go to", id: "s5", to: "start", tool: "cup" },
    { do: "pick", id: "s6", part: "cube" },
    { do: "place", id: "s7", part: "", at: "shelf" },
  ]),
};

describe("what programs need", () => {
  it("is all of them where their robot goes, callers first, and the steps that call them", () => {
    const needs = needsOf(["ur3e"], programs);
    expect(needs).toEqual({ programs: ["outer", "inner"], steps: [{ program: "other", ids: ["s1"] }] });
    expect(removalsOf(needs)).toEqual([
      { edit: "program", program: "other", command: { do: "remove", id: "s1" } },
      { edit: "remove program", name: "outer" },
      { edit: "remove program", name: "inner" },
    ]);
  });

  it.each([
    ["lamp", "s4"],
    ["part present", "s2"],
    ["tray", "s3"],
    ["cup", "s5"],
    ["cube", "s6"],
    ["shelf", "s7"],
  ])("is the steps that name %s", (name, id) => {
    expect(needsOf([name], programs).steps).toEqual([{ program: "other", ids: [id] }]);
  });

  it("has a step once that is inside another one of them", () => {
    expect(needsOf(["part present", "tray"], programs).steps).toEqual([{ program: "other", ids: ["s2"] }]);
  });

  it("is nothing for a word that is a variable", () => {
    const counts = {
      ...program("p", "yumi", [{ do: "set", id: "s1", name: "n", value: "n + 1" }]),
      variables: { n: 0 },
    };
    expect(needsOf(["n"], { p: counts }).steps).toEqual([]);
  });
});
