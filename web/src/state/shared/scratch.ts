/** Scratch: the project in which one robot of the catalogue is looked at. The server drops it unless it is kept. */

import type { ProjectInfo } from "../../wire/generated";
import type { Library } from "./library";
import { type Memory, remembered } from "./preferences";
import type { Mode, Project } from "./project";

export type BeginCell = (robot: string, again: string) => Promise<ProjectInfo>;

const isId = (value: unknown): value is string => typeof value === "string";

/**
 * The id of the project in which this tab looks at a robot: the one from before, so that a new start of the server or
 * of the page does not lose it, or else a new one.
 */
export async function beginCell(robot: string, memory: Memory, begin: BeginCell): Promise<string> {
  const last = remembered(memory, `scratch.${robot}`, "", isId);
  const { id } = await begin(robot, last.value);
  last.set(id);
  return id;
}

/** Make a project of the library of it; return its id. The tab stays in the mode that it is in. */
export async function keepCell(
  project: Project,
  robot: string,
  library: Library,
  memory: Memory,
): Promise<string> {
  const { id } = await library.duplicate(project.id);
  memory.setItem(`openpendant.mode.${id}`, JSON.stringify(project.mode.value satisfies Mode));
  memory.setItem(`openpendant.scratch.${robot}`, JSON.stringify(""));
  return id;
}
