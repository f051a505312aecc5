/** Everything in the open project as commands of the palette: to go to it. */

import { SECTIONS } from "../state/build/tree";
import { titleOf } from "../state/program/titles";
import { itemsOf, type Section } from "../state/shared/patches";
import type { Project } from "../state/shared/project";
import { t } from "../state/texts";
import type { CellItem } from "../wire/studio";
import type { Command } from "./commands";

const groupOf = (section: Section, item: CellItem) =>
  section !== "objects" ? section : "graspable" in item && item.graspable ? "parts" : "obstacles";

/** Select a thing, or open a program. */
export function thingCommands(project: Project | null): readonly Command[] {
  if (project === null) return [];
  const cell = project.cell.value;
  const things = SECTIONS.flatMap((section) =>
    itemsOf(cell, section).map((item): Command => ({
      id: `cell.${item.name}`,
      title: () => item.name,
      also: () => t(`tree.group.${groupOf(section, item)}`),
      group: "cell",
      run: () => project.selection.set([item.name]),
    })),
  );
  const programs = Object.values(project.programs.value).map((program): Command => ({
    id: `cell.program.${program.name}`,
    title: () => titleOf(program),
    also: () => program.name,
    group: "cell",
    run: () => {
      project.openProgram.set(program.name);
      project.mode.set("program");
    },
  }));
  return [...things, ...programs];
}
