/** The commands of the studio as a whole; panels add their own. */

import type { StudioSide } from "../../../state/shared/preferences";
import type { Project } from "../../../state/shared/project";
import type { Teaching } from "../../../state/teach/teacher";
import { t } from "../../../state/texts";
import { archiveAddress } from "../../../wire/rest";
import type { Command } from "../../commands";
import type { Context } from "../../context";
import { goToPanel } from "./go-to-panel";
import { keep } from "./keep";
import { MODES } from "./slots";
import { stop } from "../operate/stop-keys";

/** `robot`: of the catalogue, where the project is only there to look at it; else "". */
export function studioCommands(
  context: Context,
  project: Project,
  teaching: Teaching,
  robot: string,
): readonly Command[] {
  const { preferences, router } = context;
  const toggle = (side: StudioSide): void => {
    const panel = preferences.studioPanels[side];
    panel.set({ ...panel.value, open: !panel.value.open });
  };
  const panel = (side: StudioSide, key: string): Command => ({
    id: `page.panel.${side}`,
    title: () => t(`shell.panel.${side}`),
    group: "page",
    keys: [key],
    run: () => toggle(side),
  });
  return [
    ...MODES.map((mode, i): Command => ({
      id: `mode.${mode}`,
      title: () => t("shell.goMode", { mode: t(`shell.mode.${mode}`) }),
      group: "mode",
      keys: [`Alt+${i + 1}`],
      whileTyping: true,
      run: () => project.mode.set(mode),
    })),
    {
      id: "edit.undo",
      title: () => t("page.undo"),
      group: "edit",
      keys: ["Ctrl+Z"],
      whileTyping: "settled",
      blocked: () =>
        teaching.canUndo || project.history.value.undo.length > 0 ? null : t("shell.nothingToUndo"),
      run: () => void teaching.undo(),
    },
    {
      id: "edit.redo",
      title: () => t("page.redo"),
      group: "edit",
      keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
      whileTyping: "settled",
      blocked: () =>
        teaching.canRedo || project.history.value.redo.length > 0 ? null : t("shell.nothingToRedo"),
      run: () => void teaching.redo(),
    },
    {
      id: "project.save",
      title: () => t(robot === "" ? "shell.save" : "shell.keep"),
      group: "project",
      keys: ["Ctrl+S"],
      whileTyping: true,
      run: () => void (robot === "" ? project.save() : keep(context, project, robot)),
    },
    {
      id: "project.download",
      title: () => t("shell.download"),
      group: "project",
      run: () => download(project.id),
    },
    {
      id: "project.close",
      title: () => t("shell.close"),
      group: "project",
      run: () => router.go({ page: "welcome" }),
    },
    {
      id: "project.stop",
      title: () => t("shell.stop.all"),
      group: "operate",
      keys: ["Pause", "Shift+Escape"],
      urgent: true,
      run: () => stop(context, project),
    },
    {
      id: "page.tour",
      title: () => t("shell.tour"),
      also: () => t("page.help.words"),
      group: "page",
      run: () => preferences.toured.set(false),
    },
    {
      id: "page.nextPanel",
      title: () => t("page.nextPanel"),
      group: "page",
      keys: ["F6"],
      whileTyping: true,
      run: () => goToPanel(1),
    },
    {
      id: "page.previousPanel",
      title: () => t("page.previousPanel"),
      group: "page",
      keys: ["Shift+F6"],
      whileTyping: true,
      run: () => goToPanel(-1),
    },
    {
      id: "program.compact",
      title: () => t(preferences.compact.value ? "program.do.roomy" : "program.do.compact"),
      group: "page",
      run: () => preferences.compact.set(!preferences.compact.value),
    },
    {
      id: "program.beside",
      title: () => t(preferences.stepsBeside.value ? "program.do.below" : "program.do.beside"),
      group: "page",
      run: () => preferences.stepsBeside.set(!preferences.stepsBeside.value),
    },
    panel("left", "["),
    panel("right", "]"),
    panel("bottom", "B"),
  ];
}

/** Have the browser save a project as a zip file. */
export function download(id: string): void {
  const link = document.createElement("a");
  link.href = archiveAddress(id);
  link.download = `${id}.zip`;
  link.click();
}
