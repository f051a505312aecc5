/** Where in a project a person was: the mode and the program that was open, kept in the tab until it is closed. */

import { type Memory, oneOf, remembered } from "./preferences";
import type { Mode, Project } from "./project";
import { onChange } from "./store";

const isMode = oneOf<Mode>("build", "teach", "program", "operate");

/** Go to where this tab was in the project last, and remember from now on where it is. */
export function rememberPlace({ id, mode, openProgram }: Project, memory: Memory): void {
  const lastMode = remembered(memory, `mode.${id}`, mode.value, isMode);
  const lastProgram = remembered(memory, `program.${id}`, openProgram.value, isName);
  mode.set(lastMode.value);
  // One that is gone by now gives way to another as soon as the project is here.
  openProgram.set(lastProgram.value);
  onChange(mode, (now) => lastMode.set(now));
  onChange(openProgram, (now) => lastProgram.set(now));
}

function isName(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
