/** The first menu: what can be added to the program, and everything else one level below. */

import { kindWords } from "../../state/program/step-text";
import { t } from "../../state/texts";
import { type Button, row, type Row, text, title } from "../panel-content";
import { axisPage } from "./axis-page";
import { movingPage, type MovingParts } from "./moving-page";
import type { Page, PageParts } from "./page";
import { pointPage } from "./point-page";
import { programPage, titleOf } from "./program-page";
import { runPage } from "./run-page";
import { waitPage } from "./wait-page";

export interface HomeParts extends PageParts, MovingParts {
  /** Put a clock where the menu is, or take it away. */
  readonly placeClock: () => void;
  readonly leave: () => void;
}

export function homePage(parts: HomeParts): Page {
  const { project, steps, teaching } = parts;
  /** The arm of the program is taught, whatever is selected. */
  const takeArm = (): void => {
    const { program } = steps;
    if (program !== null) void teaching.choose(program.robot, program.arm ?? "");
  };
  const button = (id: string, words: string, blocked: string, act: () => void): Button => ({
    kind: "button",
    id,
    text: words,
    blocked,
    act,
  });
  return {
    name: "home",
    rows: (): readonly Row[] => {
      const { program } = steps;
      const complaint = project.complaint.value;
      const linked = project.link.value === "open";
      const noProgram = program === null ? t("teach.step.noProgram") : "";
      const noEdit = parts.refusal("engineer") || noProgram;
      const taught =
        (open: () => Page): (() => void) =>
        () => {
          project.mode.set("teach");
          takeArm();
          parts.open(open());
        };
      return [
        title((project.cell.value.title ?? "") || project.cell.value.name),
        ...(program === null ? [text(noProgram, "warn")] : [text(titleOf(program), "calm")]),
        ...(linked ? [] : [text(t("headset.noLink"), "stop")]),
        ...(complaint === null ? [] : [text(complaint, "stop")]),
        row(
          button(
            "point",
            kindWords("go to"),
            noEdit,
            taught(() => pointPage(parts, null)),
          ),
          button(
            "axis",
            kindWords("move axis"),
            noEdit,
            taught(() => axisPage(parts)),
          ),
        ),
        row(
          button("tool", kindWords("tool"), noEdit, () => void steps.insert("tool")),
          button("wait", kindWords("wait"), noEdit, () => parts.open(waitPage(parts, null))),
        ),
        row(
          button("program", t("program.title"), "", () => parts.open(programPage(parts))),
          button("run", t("operate.title"), "", () => {
            project.mode.set("operate");
            parts.open(runPage(parts));
          }),
        ),
        row(
          button("undo", t("page.undo"), parts.refusal("engineer"), () => void project.undo()),
          button("redo", t("page.redo"), parts.refusal("engineer"), () => void project.redo()),
        ),
        row(
          button("moving", t("headset.moving"), "", () => parts.open(movingPage(parts))),
          button("clock", t("headset.clock"), "", () => parts.placeClock()),
        ),
        row(button("leave", t("headset.leave"), "", () => parts.leave())),
      ];
    },
  };
}
