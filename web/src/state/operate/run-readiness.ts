/** RunReadiness: why a program cannot be run now, and what a person has a say in when it is. Pure. */

import type { Operating, Person, Program, RobotStatus } from "../../wire/studio";
import { wordsOf } from "../shared/said";
import { t } from "../texts";

export interface RunPlace {
  readonly program: Program | null;
  readonly now: Operating;
  readonly people: readonly Person[];
  /** Who this page is. */
  readonly client: string;
  /** The person may only watch. */
  readonly watches: boolean;
}

/** The robot that runs a program; undefined: it is not connected. */
export function runnerOf({ program, now }: Pick<RunPlace, "program" | "now">): RobotStatus | undefined {
  return now.robots.find(({ name }) => name === program?.robot);
}

/** Why a program cannot be run now; empty: it can, or there is none, or no robot. */
export function whyNotRun(place: RunPlace): string {
  const robot = runnerOf(place);
  if (place.program === null || robot === undefined) return "";
  if (place.watches) return t("operate.watching");
  if (!isOwn(robot, place.client)) {
    const name =
      place.people.find(({ client }) => client === robot.holder)?.name ?? t("operate.control.somebody");
    return t("operate.run.held", { name, robot: robot.name });
  }
  return robot.ready
    ? ""
    : t("operate.run.notReady", { robot: robot.name, reason: wordsOf(robot.said ?? robot.reason) });
}

/** Whether somebody may lead a run of this robot: they have control of it, or nobody has. */
export function isOwn(robot: RobotStatus | undefined, client: string): boolean {
  return robot?.holder === "" || robot?.holder === client;
}
