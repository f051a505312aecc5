/** The window that a controller has open: it says so itself, and says when it is closed. */

import type { RobotWindow } from "../../wire/generated";
import type { Operating, RobotStatus } from "../../wire/studio";

export interface OpenWindow {
  readonly robot: RobotStatus;
  readonly window: RobotWindow;
}

/** What is the same for as long as one window is open. */
export function windowKey({ name, window }: RobotStatus): string {
  return window == null ? "" : `${name} ${window.number} ${window.title} ${window.text}`;
}

/** The first window that is open and was not put away here; null: there is none. */
export function openWindow({ state, robots }: Operating, seen: readonly string[]): OpenWindow | null {
  if (state !== "on") return null;
  for (const robot of robots)
    if (robot.window != null && !seen.includes(windowKey(robot))) return { robot, window: robot.window };
  return null;
}
