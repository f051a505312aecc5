/** Which program is worked on; a new one; one without steps. */

import { t } from "../../state/texts";
import type { Program } from "../../wire/studio";
import { type Button, row, type Row, text, title } from "../panel-content";
import type { Page, PageParts } from "./page";

/** More programs than these are chosen at the desk. */
const MOST_PROGRAMS = 8;

export const titleOf = (program: Program): string => (program.title ?? "") || program.name;

export function programPage(parts: PageParts): Page {
  const { project, steps, teaching } = parts;
  let sure = false;
  const add = async (): Promise<void> => {
    const count = Object.keys(project.programs.value).length;
    const robot = teaching.taught.value?.robot ?? project.cell.value.robots?.[0]?.name ?? "";
    const { arm } = teaching.taught.value ?? {};
    const many = (teaching.taught.value?.info.arms.length ?? 1) > 1;
    const from = { robot, ...(many && arm !== undefined ? { arm } : {}) };
    if (await steps.addProgram(t("program.newTitle", { n: count + 1 }), from)) parts.goBack();
  };
  const empty = async (): Promise<void> => {
    if (!sure) {
      sure = true;
      parts.refresh();
      return;
    }
    const ids = (steps.program?.steps ?? []).map(({ id = "" }) => id);
    if (await steps.remove(ids)) parts.goBack();
  };
  const choose = (name: string): Row =>
    row({
      kind: "button",
      id: `program:${name}`,
      text: titleOf(project.programs.value[name] ?? { name, robot: "" }),
      on: project.openProgram.value === name,
      act: () => {
        project.openProgram.set(name);
        parts.goBack();
      },
    });
  return {
    name: "program",
    rows: () => {
      const { program } = steps;
      const names = Object.keys(project.programs.value);
      const noRobot = (project.cell.value.robots ?? []).length === 0 ? t("teach.noRobot") : "";
      const none = (program?.steps ?? []).length === 0 ? t("headset.program.noSteps") : "";
      const edits: Button[] = [
        {
          kind: "button",
          id: "new-program",
          text: t("program.new"),
          blocked: parts.refusal("engineer") || noRobot,
          act: () => void add(),
        },
        {
          kind: "button",
          id: "empty",
          text: t(sure ? "headset.program.sure" : "headset.program.empty"),
          tone: sure ? "stop" : "plain",
          blocked: parts.refusal("engineer") || none,
          act: () => void empty(),
        },
      ];
      return [
        title(t("program.title")),
        ...(names.length === 0 ? [text(t("operate.run.none"), "calm")] : []),
        ...names.slice(0, MOST_PROGRAMS).map(choose),
        row(...edits),
      ];
    },
  };
}
