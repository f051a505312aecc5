/** What the last check says of each step, and whether it still holds. Pure. */

import type { Finding, Program, Report, StepReport } from "../../wire/studio";
import { type Words, wordsIn, wordsOf } from "../shared/said";
import type { CheckState } from "../shared/project";
import { idOf, walkSteps } from "./steps";

/** `unchecked`: no check has seen it as it is now; `off`: it is passed over. */
export type StepMark = "clear" | "remark" | "fails" | "not reached" | "unchecked" | "off";

export interface StepVerdict {
  readonly mark: StepMark;
  readonly report: StepReport | null;
  /** False: the project has changed since, and the next check is on its way. */
  readonly fresh: boolean;
}

export interface ProgramVerdict {
  readonly state: "unknown" | "checking" | "clear" | "fails" | "fault";
  readonly report: Report | null;
  /** Why there is no report. */
  readonly fault: Words;
  readonly fresh: boolean;
  readonly failing: readonly StepReport[];
  /** Ids of the steps that no check has seen as they are. */
  readonly unchecked: number;
}

const UNKNOWN: ProgramVerdict = {
  state: "unknown",
  report: null,
  fault: "",
  fresh: false,
  failing: [],
  unchecked: 0,
};

/** What a check did not look at, in the person's language. */
export function uncheckedIn(report: Report): string {
  return wordsIn(report.unchecked, report.unchecked_said).map(wordsOf).join("; ");
}

/** Whether the newest check is about the project as it is now. */
function isFresh(check: CheckState | undefined, seq: number): boolean {
  return check?.state === "checked" && check.checked.seq >= seq;
}

const checkedOf = (check: CheckState | undefined) =>
  check === undefined ? null : check.state === "checked" ? check.checked : check.before;

/** By id: what is known of each step of a program. */
export function stepVerdicts(
  program: Program,
  check: CheckState | undefined,
  seq: number,
): ReadonlyMap<string, StepVerdict> {
  const fresh = isFresh(check, seq);
  const report = checkedOf(check)?.report ?? null;
  const known = new Map(
    (report?.steps ?? []).filter((one) => one.program === program.name).map((one) => [one.id, one]),
  );
  const found = new Map<string, StepVerdict>();
  const off = new Set<string>();
  for (const [action, { parent }] of walkSteps(program.steps ?? [])) {
    const id = idOf(action);
    const step = known.get(id) ?? null;
    if (action.enabled === false || off.has(parent)) {
      off.add(id);
      found.set(id, { mark: "off", report: null, fresh });
    } else {
      found.set(id, { mark: step?.verdict ?? "unchecked", report: step, fresh });
    }
  }
  return found;
}

export function programVerdict(program: Program, check: CheckState | undefined, seq: number): ProgramVerdict {
  const checked = checkedOf(check);
  if (checked === null) return check === undefined ? UNKNOWN : { ...UNKNOWN, state: "checking" };
  const fresh = isFresh(check, seq);
  const { report } = checked;
  const marks = [...stepVerdicts(program, check, seq).values()];
  const unchecked = marks.filter(({ mark }) => mark === "unchecked").length;
  const failing = (report?.steps ?? []).filter(({ verdict }) => verdict === "fails");
  const known = report === null ? "fault" : report.clear ? "clear" : "fails";
  return {
    state: fresh ? known : "checking",
    report,
    fault: report === null ? (checked.said ?? checked.summary) : "",
    fresh,
    failing,
    unchecked,
  };
}

/** The finding that stops a step, or else the first remark. */
export function mainFinding(report: StepReport | null): Finding | null {
  const findings = report?.findings ?? [];
  return findings.find(({ fails }) => fails) ?? findings[0] ?? null;
}

/** By id, seconds: one that holds others takes as long as they do together. */
export function stepDurations(
  program: Program,
  verdicts: ReadonlyMap<string, StepVerdict>,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [action, { parent }] of [...walkSteps(program.steps ?? [])].reverse()) {
    const id = idOf(action);
    const own = (verdicts.get(id)?.report?.duration_s ?? 0) + (found.get(id) ?? 0);
    found.set(id, own);
    if (parent !== "") found.set(parent, (found.get(parent) ?? 0) + own);
  }
  return found;
}
