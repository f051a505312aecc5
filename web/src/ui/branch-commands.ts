/** The keys of an arm's branches: 1 is the first of the list. */

import { t } from "../state/texts";
import type { Command } from "./commands";

export const MOST_BRANCHES = 8;

export function branchCommands(choose: (index: number) => void): readonly Command[] {
  return Array.from({ length: MOST_BRANCHES }, (_, i) => ({
    id: `arm.branch.${i + 1}`,
    title: () =>
      i === 0
        ? t("robot.command.branches", { most: MOST_BRANCHES })
        : t("robot.command.branch", { n: i + 1 }),
    group: "arm",
    keys: [String(i + 1)],
    listed: i === 0,
    run: () => choose(i),
  }));
}
