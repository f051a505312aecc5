/** What can be done with running robots, for the palette. */

import { isUnderWay } from "../../../state/operate/operator";
import type { Project } from "../../../state/shared/project";
import { t } from "../../../state/texts";
import type { Command } from "../../commands";

export function operateCommands(project: Project): readonly Command[] {
  const { operation } = project;
  const on = (): string | null => (operation.now.value.state === "on" ? null : t("operate.off"));
  const shown = (): string => operation.shown?.name ?? "";
  const mine = (): boolean => operation.shown?.holder === project.client;
  return [
    {
      id: "operate.connect",
      title: () => t("operate.startVirtual"),
      group: "operate",
      blocked: () =>
        (project.cell.value.robots ?? []).length === 0
          ? t("operate.noRobot")
          : ["off", "failed"].includes(operation.now.value.state)
            ? null
            : t("operate.event.connected"),
      run: () => void operation.connect(),
    },
    {
      id: "operate.disconnect",
      title: () => t("operate.disconnect"),
      group: "operate",
      blocked: on,
      run: () => void operation.disconnect(),
    },
    {
      id: "operate.control",
      title: () => t(mine() ? "operate.control.give" : "operate.control.take"),
      group: "operate",
      blocked: on,
      run: () => void (mine() ? operation.giveControl(shown()) : operation.takeControl(shown())),
    },
    {
      id: "operate.pause",
      title: () => t(operation.run?.status === "paused" ? "operate.run.resume" : "operate.run.pause"),
      group: "operate",
      keys: ["P"],
      blocked: () => (isUnderWay(operation.run) ? null : t("operate.run.nothing")),
      run: () => void (operation.run?.status === "paused" ? operation.resume() : operation.pause()),
    },
  ];
}
