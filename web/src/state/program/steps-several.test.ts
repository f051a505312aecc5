import { expect, it } from "vitest";
import type { Program } from "../../wire/studio";
import { sharedValue, withField } from "./steps-several";

const program: Program = {
  name: "p",
  robot: "r",
  steps: [
    { do: "go to", id: "a", to: "x", speed: "v500" },
    { do: "wait", id: "w", seconds: 1 },
    { do: "group", id: "g", title: "", steps: [{ do: "move axis", id: "b", q: [0], speed: "v500" }] },
    { do: "pick", id: "c", part: "block" },
  ],
};
const all = ["a", "w", "g", "b", "c"];

it("finds the steps that have a field", () => {
  expect(withField(program, all, "speed").map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(withField(program, all, "slowly").map(({ id }) => id)).toEqual(["c"]);
  expect(withField(program, ["gone", "w"], "zone")).toEqual([]);
});

it("tells what they share, with what a step has that says nothing", () => {
  expect(sharedValue(withField(program, ["a", "b"], "speed"), "speed")).toBe("v500");
  expect(sharedValue(withField(program, all, "speed"), "speed")).toBeNull();
  expect(sharedValue(withField(program, ["a", "b"], "zone"), "zone")).toBe("fine");
  expect(sharedValue(withField(program, ["c"], "zone"), "zone")).toBe("z10");
  expect(sharedValue([], "zone")).toBeNull();
});
