import { describe, expect, it } from "vitest";
import type { SaidMessage } from "../../wire/generated";
import type { Program } from "../../wire/studio";
import { wordsOf } from "../shared/said";
import { withTitles } from "./titles";

const said = (code: string, values: SaidMessage["values"]): SaidMessage => ({ code, values, text: "" });
const programs: Record<string, Program> = {
  program_1: {
    name: "program_1",
    title: "Sort pucks",
    robot: "ur",
    steps: [
      { do: "wait", id: "s9", seconds: 1 },
      { do: "group", id: "s2", title: "g", steps: [{ do: "wait", id: "s17", seconds: 1 }] },
    ],
  },
};

describe("withTitles", () => {
  it("says what people call a program and its steps", () => {
    const edit = said("title.of_program", {
      edit: said("title.edit_step", { step: "s17" }),
      program: "program_1",
    });
    expect(wordsOf(withTitles(edit, programs))).toBe("edit step 2.1 of Sort pucks");
    const undo = said("title.undo", { edit });
    expect(wordsOf(withTitles(undo, programs))).toBe("undo edit step 2.1 of Sort pucks");
    expect(wordsOf(withTitles(said("run.done", { program: "program_1" }), programs))).toBe(
      "Sort pucks is done",
    );
  });

  it("leaves what it does not know", () => {
    const gone = said("title.of_program", { edit: said("title.edit_step", { step: "s3" }), program: "old" });
    expect(wordsOf(withTitles(gone, programs))).toBe("edit step s3 of old");
    expect(withTitles("my own", programs)).toBe("my own");
  });
});
