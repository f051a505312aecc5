import { describe, expect, it } from "vitest";
import type { Row } from "../../../state/program/steps";
import type { StepEditor } from "../../../state/program/steps-editor";
import { listKey } from "./keys";

const row = (id: string, more: object = {}): Row =>
  ({
    kind: "step",
    key: id,
    id,
    holds: false,
    folded: false,
    spot: { parent: "" },
    ...more,
  }) as unknown as Row;

function press(key: string, at: string, chip = false) {
  const did: string[] = [];
  const steps = {
    select: (id: string) => did.push(`select ${id}`),
    toggleFold: (id: string) => did.push(`fold ${id}`),
  } as unknown as StepEditor;
  const meant = listKey({ key } as KeyboardEvent, {
    steps,
    rows: [row("a"), row("b", { holds: true }), row("c")],
    at,
    focus: (id) => did.push(`focus ${id}`),
    add: () => did.push("add"),
    enter: () => did.push("enter"),
    chip: () => {
      did.push("chip");
      return chip;
    },
  });
  return [meant, ...did];
}

describe("listKey", () => {
  it("moves from row to row, so that the list is one stop of Tab", () => {
    expect(press("ArrowDown", "a")).toEqual([true, "select b", "focus b"]);
    expect(press("End", "a")).toEqual([true, "select c", "focus c"]);
  });

  it("goes to the speed and zone of a row by the right arrow, where it has them", () => {
    expect(press("ArrowRight", "a", true)).toEqual([true, "chip"]);
    expect(press("ArrowRight", "c", false)).toEqual([false, "chip"]);
    expect(press("ArrowRight", "b")).toEqual([true, "select c", "focus c"]);
    expect(press("ArrowLeft", "b")).toEqual([true, "fold b"]);
  });

  it("leaves F9 to the commands", () => {
    expect(press("F9", "a")).toEqual([false]);
  });
});
