/** The steps of the program beside the menu, each with its check; pressing one opens it. */

import { rowsOf, type StepRow } from "../../state/program/steps";
import { programVerdict, type StepMark, stepVerdicts } from "../../state/program/steps-check";
import { stepSentence } from "../../state/program/step-text";
import { t } from "../../state/texts";
import { type Button, type Row, row, text, title, type Tone } from "../panel-content";
import type { PageParts } from "./page";
import { titleOf } from "./program-page";
import { stepPage } from "./step-page";

/** As many as can be read without turning the head. */
export const SHOWN = 7;

const SIGNS: Readonly<Record<StepMark, string>> = {
  clear: "✓",
  remark: "!",
  fails: "✗",
  "not reached": "–",
  unchecked: "…",
  off: "○",
};
const TONES: Readonly<Record<StepMark, Tone>> = {
  clear: "plain",
  remark: "warn",
  fails: "warn",
  "not reached": "calm",
  unchecked: "calm",
  off: "calm",
};

/** The first row of a window of `shown` in which a row is seen; it moves no more than it must. */
export function windowAt(first: number, seen: number, count: number, shown = SHOWN): number {
  const wanted = seen < 0 ? first : Math.min(Math.max(first, seen - shown + 1), seen);
  return Math.max(0, Math.min(wanted, count - shown));
}

export class StepsList {
  #first = 0;
  #open: string | null = null;

  constructor(private readonly parts: PageParts) {}

  rows(): readonly Row[] {
    const { project, steps } = this.parts;
    const { program } = steps;
    if (program === null) return [title(t("program.title")), text(t("teach.step.noProgram"), "calm")];
    const check = project.checks.value[program.name];
    const verdicts = stepVerdicts(program, check, project.seq);
    const verdict = programVerdict(program, check, project.seq);
    const all = rowsOf(program, new Set()).filter((one): one is StepRow => one.kind === "step");
    const open = project.openStep.value;
    // The list goes to a step when it is opened, not while a person scrolls elsewhere.
    const seen = open === this.#open ? -1 : all.findIndex(({ id }) => id === open);
    this.#open = open;
    this.#first = windowAt(this.#first, seen, all.length);
    const scroll = (id: string, words: string, by: number): Button => ({
      kind: "button",
      id,
      text: words,
      blocked: windowAt(this.#first + by, -1, all.length) === this.#first ? t("headset.steps.end") : "",
      act: () => {
        this.#first = windowAt(this.#first + by, -1, all.length);
        this.parts.refresh();
      },
    });
    const step = ({ id, number, depth }: StepRow): Row => {
      const mark = verdicts.get(id)?.mark ?? "unchecked";
      return row({
        kind: "button",
        id: `step:${id}`,
        text: `${"   ".repeat(depth)}${number}  ${stepSentence(program, id)}  ${SIGNS[mark]}`,
        tone: TONES[mark],
        on: id === open,
        act: () => {
          steps.select(id);
          this.parts.goHome();
          this.parts.open(stepPage(this.parts, id));
        },
      });
    };
    return [
      title(titleOf(program)),
      all.length === 0
        ? text(t("program.empty"), "calm")
        : text(t(`headset.steps.${verdict.state}`), verdict.state === "clear" ? "good" : "calm"),
      ...all.slice(this.#first, this.#first + SHOWN).map(step),
      ...(all.length > SHOWN ? [row(scroll("earlier", "▲", -SHOWN), scroll("later", "▼", SHOWN))] : []),
    ];
  }
}
