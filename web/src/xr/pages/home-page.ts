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
import { openTaught } from "./taught";
import { waitPage } from "./wait-page";

export interface HomeParts extends PageParts, MovingParts {
  /** Put a clock where the menu is, or take it away. */
  readonly placeClock: () => void;
  readonly leave: () => void;
}

export function homePage(parts: HomeParts): Page {
  const { project, steps } = parts;
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
      const noProgram = program === null ? t("teach.step.noProgram") : "";
      const noEdit = parts.refusal("engineer") || noProgram;
      return [
        title((project.cell.value.title ?? "") || project.cell.value.name),
        ...(program === null ? [text(noProgram, "warn")] : [text(titleOf(program), "calm")]),
        row(
          button("point", kindWords("go to"), noEdit, () => openTaught(parts, pointPage(parts, null))),
          button("axis", kindWords("move axis"), noEdit, () => openTaught(parts, axisPage(parts))),
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
