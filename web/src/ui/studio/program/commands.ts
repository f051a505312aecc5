/** What can be done with the steps of the open program, for the palette. In the list itself, more keys hold. */

import type { StepEditor } from "../../../state/program/steps-editor";
import { t } from "../../../state/texts";
import type { Timeline } from "../../../state/program/timeline";
import type { Command } from "../../commands";

export interface ProgramActs {
  readonly add: () => void;
  readonly export: () => void;
  readonly settings: () => void;
}

export function programCommands(
  steps: StepEditor,
  timeline: Timeline,
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
    key?: string,
  ): Command => ({
    id: `program.${name}`,
    title,
    group: "program",
    ...(key === undefined ? {} : { keys: [key] }),
    blocked,
    run: () => void run(),
  });
  return [
    command("add", () => t("program.add"), acts.add, open, "Insert"),
    command(
      "up",
      () => t("program.do.up"),
      () => steps.moveBy(-1),
      selected,
      "Alt+ArrowUp",
    ),
    command(
      "down",
      () => t("program.do.down"),
      () => steps.moveBy(1),
      selected,
      "Alt+ArrowDown",
    ),
    command(
      "duplicate",
      () => t("program.do.duplicate"),
      () => steps.duplicate(),
    ),
    command(
      "enable",
      () => t("program.do.disable"),
      () => steps.toggleEnabled(),
      selected,
      "Ctrl+/",
    ),
    command(
      "group",
      () => t("program.do.group"),
      () => steps.group(),
      selected,
      "Ctrl+G",
    ),
    command(
      "copy",
      () => t("program.do.copy"),
      () => steps.copy(),
    ),
    command(
      "paste",
      () => t("program.do.paste"),
      () => steps.paste(),
      () => (steps.copied.value.length > 0 ? open() : t("program.nothingCopied")),
      // In the list its own keys come first; a list without steps has nothing that could have the focus.
      "Ctrl+V",
    ),
    command(
      "remove",
      () => t("program.do.remove"),
      () => steps.remove(),
    ),
    command("export", () => t("export.title"), acts.export, open, "Ctrl+E"),
    command("settings", () => t("program.settings.title"), acts.settings, open),
    command(
      "play",
      () => t("timeline.playKey"),
      () => timeline.toggle(),
      open,
    ),
  ];
}
