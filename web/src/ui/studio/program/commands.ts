/** What can be done with the open program and its steps: for the palette, the menus and the keys of the page. */

import type { Breakpoints } from "../../../state/program/breakpoints";
import { findStep, isOn, rowsOf, slotsOf } from "../../../state/program/steps";
import type { StepEditor } from "../../../state/program/steps-editor";
import { pointsFor } from "../../../state/program/steps-new";
import { t } from "../../../state/texts";
import type { Timeline } from "../../../state/program/timeline";
import type { Command } from "../../commands";

export interface ProgramActs {
  readonly add: () => void;
  readonly export: () => void;
  readonly settings: () => void;
}

/** The menu of steps: of the list, and of the button above it. "-" is a line. */
export const STEP_MENU = [
  "program.add",
  "program.moveToPoint",
  "-",
  "operate.runFrom",
  "program.breakpoint",
  "-",
  "program.up",
  "program.down",
  "-",
  "program.duplicate",
  "program.copy",
  "program.cut",
  "program.paste",
  "-",
  "program.enable",
  "program.comment",
  "program.group",
  "program.ungroup",
  "program.remove",
] as const;

/** What the button above the list has below them: the list as a whole. */
export const LIST_MENU = [
  "-",
  "program.fold",
  "program.clearBreakpoints",
  "program.compact",
  "program.beside",
] as const;

export function programCommands(
  steps: StepEditor,
  timeline: Timeline,
  breakpoints: Breakpoints,
  acts: ProgramActs,
): readonly Command[] {
  const selected = (): string | null =>
    steps.selected.value.length > 0 ? null : t("program.nothingSelected");
  const open = (): string | null => (steps.program === null ? t("program.none") : null);
  const command = (
    name: string,
    title: () => string,
    run: () => unknown,
    blocked: () => string | null = selected,
    keys: { readonly key?: string; readonly here?: string } = {},
  ): Command => ({
    id: `program.${name}`,
    title,
    group: "program",
    ...(keys.key === undefined ? {} : { keys: [keys.key] }),
    ...(keys.here === undefined ? {} : { keysHere: keys.here }),
    blocked,
    run: () => void run(),
  });
  return [
    command("add", () => t("program.add"), acts.add, open, { key: "Insert" }),
    command(
      "moveToPoint",
      () => {
        const names = chosenPoints(steps);
        const [only = ""] = names;
        if (names.length === 0) return t("program.do.moveToSelected");
        return names.length === 1
          ? t("program.do.moveTo", { point: only })
          : t("program.do.moveToPoint", { count: names.length });
      },
      () => steps.goToPoints(chosenPoints(steps)),
      () => open() ?? (chosenPoints(steps).length > 0 ? null : t("program.noPointSelected")),
    ),
    command(
      "up",
      () => t("program.do.up"),
      () => steps.moveBy(-1),
      selected,
      { key: "Alt+ArrowUp", here: "Alt+↑" },
    ),
    command(
      "down",
      () => t("program.do.down"),
      () => steps.moveBy(1),
      selected,
      {
        key: "Alt+ArrowDown",
        here: "Alt+↓",
      },
    ),
    command(
      "duplicate",
      () => t("program.do.duplicate"),
      () => steps.duplicate(),
      selected,
      { here: "Ctrl+D" },
    ),
    command(
      "enable",
      () => t(allOff(steps) ? "program.do.enable" : "program.do.disable"),
      () => steps.toggleEnabled(),
      selected,
      { key: "Ctrl+/" },
    ),
    command(
      "comment",
      () => t("program.do.comment"),
      () => commentAbove(steps),
    ),
    command(
      "group",
      () => t("program.do.group"),
      () => steps.group(),
      selected,
      { key: "Ctrl+G" },
    ),
    command(
      "ungroup",
      () => t("program.do.ungroup"),
      () => steps.ungroup(steps.selected.value[0] ?? ""),
      () => (holder(steps) ? null : t("program.noGroup")),
    ),
    command(
      "copy",
      () => t("program.do.copy"),
      () => steps.copy(),
      selected,
      { here: "Ctrl+C" },
    ),
    command(
      "cut",
      () => t("program.do.cut"),
      () => steps.cut(),
      selected,
      { here: "Ctrl+X" },
    ),
    command(
      "paste",
      () => t("program.do.paste"),
      () => steps.paste(),
      () => (steps.copied.value.length > 0 ? open() : t("program.nothingCopied")),
      // In the list its own keys come first; a list without steps has nothing that could have the focus.
      { key: "Ctrl+V" },
    ),
    command(
      "remove",
      () => t("program.do.remove"),
      () => steps.remove(),
      selected,
      { here: "Del" },
    ),
    command(
      "fold",
      () => t(steps.folded.value.size > 0 ? "program.do.unfoldAll" : "program.do.foldAll"),
      () => foldAll(steps),
      open,
    ),
    command(
      "breakpoint",
      () => t(allBreak(steps, breakpoints) ? "program.do.noBreakpoint" : "program.do.breakpoint"),
      () => breakpoints.toggle(steps.program?.name ?? "", steps.selected.value),
      selected,
      { key: "F9" },
    ),
    command(
      "clearBreakpoints",
      () => t("program.do.clearBreakpoints"),
      () => breakpoints.clear(steps.program?.name ?? ""),
      () => (breakpoints.of(steps.program?.name ?? "").length > 0 ? null : t("program.noBreakpoints")),
    ),
    command("export", () => t("export.title"), acts.export, open, { key: "Ctrl+E" }),
    command("settings", () => t("program.settings.title"), acts.settings, open),
    command(
      "play",
      () => t("timeline.playKey"),
      () => timeline.toggle(),
      open,
    ),
  ];
}

/** The selected points that the open program's arm can be sent to. */
function chosenPoints(steps: StepEditor): readonly string[] {
  const { program, project } = steps;
  if (program === null) return [];
  const names = pointsFor(project.cell.value, program).map(({ name }) => name);
  return project.selection.value.filter((name) => names.includes(name));
}

/** Whether what is selected would be switched on: all of it is off. */
function allOff({ program, selected }: StepEditor): boolean {
  const found = selected.value.flatMap((id) => (program === null ? [] : (findStep(program, id)?.[0] ?? [])));
  return found.length > 0 && !found.some(isOn);
}

/** Whether every selected step has a breakpoint. */
function allBreak({ program, selected }: StepEditor, breakpoints: Breakpoints): boolean {
  const set = breakpoints.of(program?.name ?? "");
  return selected.value.length > 0 && selected.value.every((id) => set.includes(id));
}

function holder({ program, selected }: StepEditor): boolean {
  const [only = "", ...more] = selected.value;
  const found = program === null || more.length > 0 ? null : findStep(program, only);
  return found !== null && slotsOf(found[0]).length > 0;
}

async function commentAbove(steps: StepEditor): Promise<void> {
  const { program, selected } = steps;
  const found = program === null ? null : findStep(program, selected.value[0] ?? "");
  if (found !== null) await steps.insert("comment", found[1]);
}

function foldAll({ program, folded }: StepEditor): void {
  if (program === null) return;
  const holders = rowsOf(program, new Set()).filter((row) => row.kind === "step" && row.holds);
  folded.set(folded.value.size > 0 ? new Set() : new Set(holders.map(({ key }) => key)));
}
