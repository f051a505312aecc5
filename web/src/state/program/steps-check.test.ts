import { describe, expect, it } from "vitest";
import type { Checked, Program, Report, StepReport } from "../../wire/studio";
import { programVerdict, stepVerdicts } from "./steps-check";

const program: Program = {
  name: "p",
  robot: "r",
  steps: [
    { do: "wait", id: "s1", seconds: 1 },
    { do: "group", id: "s2", title: "", enabled: false, steps: [{ do: "wait", id: "s3", seconds: 1 }] },
    { do: "wait", id: "s4", seconds: 1 },
  ],
};
const step = (id: string, verdict: StepReport["verdict"], of = "p"): StepReport => ({
  id,
  program: of,
  number: "1",
  verdict,
});
const report = (steps: readonly StepReport[], clear: boolean): Report => ({
  cell: "c",
  program: "p",
  clear,
  first_failing: null,
  first_failing_in: "",
  duration_s: 1,
  cycle_s: null,
  length_m: 0,
  clearance: null,
  start: { q: {}, depends: false },
  busy_s: {},
  steps,
  paths: 1,
  notes: [],
  unchecked: [],
  fingerprint: "",
});
const checked = (seq: number, of: Report | null): Checked => ({
  type: "checked",
  program: "p",
  seq,
  report: of,
  summary: "why",
  took_ms: 1,
});

describe("what is known of steps", () => {
  const now = checked(4, report([step("s1", "fails"), step("s4", "clear", "other")], false));

  it("says that a step was never checked, or is off with the one around it", () => {
    const found = stepVerdicts(program, { state: "checked", checked: now }, 4);
    expect([...found].map(([id, { mark, fresh }]) => [id, mark, fresh])).toEqual([
      ["s1", "fails", true],
      ["s2", "off", true],
      ["s3", "off", true],
      ["s4", "unchecked", true],
    ]);
  });

  it("is stale once the project has gone on", () => {
    expect(stepVerdicts(program, { state: "checked", checked: now }, 5).get("s1")?.fresh).toBe(false);
    expect(programVerdict(program, { state: "checked", checked: now }, 5).state).toBe("checking");
    expect(programVerdict(program, { state: "checking", before: now }, 4).state).toBe("checking");
  });

  it("counts what fails, and says why there is no report", () => {
    expect(programVerdict(program, { state: "checked", checked: now }, 4)).toMatchObject({
      state: "fails",
      unchecked: 1,
    });
    expect(programVerdict(program, { state: "checked", checked: checked(4, null) }, 4)).toMatchObject({
      state: "fault",
      fault: "why",
    });
    expect(programVerdict(program, undefined, 4).state).toBe("unknown");
  });
});
