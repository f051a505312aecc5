/** The commands of the robot page. */

import type { OpenRobot } from "../state/robot/open-robot";
import { t } from "../state/texts";
import type { NamedView } from "../state/shared/view";
import { branchCommands } from "./branch-commands";
import type { Command } from "./commands";
import type { Context } from "./context";

export function robotCommands({ session, stage, preferences }: Context): readonly Command[] {
  const { view } = session;
  const robot = (): OpenRobot | null =>
    session.shown.value.state === "ready" ? session.shown.value.robot : null;
  const look = (name: NamedView) => () => stage.value?.look(name);
  const togglePanel = (side: "left" | "right") => () => {
    const panel = preferences.panels[side];
    panel.set({ ...panel.value, open: !panel.value.open });
  };
  const command = (id: string, rest: Omit<Command, "id">): Command => ({ id, ...rest });
  return [
    command("tool.move", {
      title: () => t("robot.command.move"),
      group: "tool",
      keys: ["W"],
      run: () => view.mode.set("move"),
    }),
    command("tool.turn", {
      title: () => t("robot.command.turn"),
      group: "tool",
      keys: ["E"],
      run: () => view.mode.set("turn"),
    }),
    command("tool.axes", {
      title: () => t("robot.command.axes"),
      group: "tool",
      keys: ["X"],
      run: () => view.axes.set(view.axes.value === "world" ? "tool" : "world"),
    }),
    command("arm.home", {
      title: () => t("robot.command.home"),
      group: "arm",
      keys: ["H"],
      run: () => robot()?.goHome(),
    }),
    command("arm.next", {
      title: () => t("robot.command.nextArm"),
      group: "arm",
      keys: ["A"],
      run: () => nextArm(robot()),
    }),
    ...branchCommands((index) => chooseBranch(robot(), index)),
    command("edit.undo", {
      title: () => t("page.undo"),
      group: "edit",
      keys: ["Ctrl+Z"],
      run: () => robot()?.history.undo(),
    }),
    command("edit.redo", {
      title: () => t("page.redo"),
      group: "edit",
      keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
      run: () => robot()?.history.redo(),
    }),
    ...(["fit", "iso", "front", "left", "top"] as const).map((name, i) =>
      command(`view.${name}`, {
        title: () => t(`robot.view.${name}.hint`),
        group: "view",
        keys: ["FIKLO".charAt(i)],
        run: look(name),
      }),
    ),
    command("view.frames", {
      title: () => t("robot.showFrames"),
      group: "view",
      keys: ["G"],
      run: () => view.frames.set(!view.frames.value),
    }),
    command("view.reach", {
      title: () => t("robot.showReach"),
      group: "view",
      keys: ["R"],
      run: () => view.reach.set(!view.reach.value),
    }),
    command("page.left", {
      title: () => t("page.leftPanel"),
      group: "page",
      keys: ["["],
      run: togglePanel("left"),
    }),
    command("page.right", {
      title: () => t("page.rightPanel"),
      group: "page",
      keys: ["]"],
      run: togglePanel("right"),
    }),
  ];
}

/** Move the active arm into another of its configurations. */
export function chooseBranch(robot: OpenRobot | null, index: number): void {
  const arm = robot?.active.value;
  const branch = arm?.branches.value[index];
  if (robot === null || arm === undefined || arm === null || branch === undefined) return;
  robot.history.record("");
  arm.glideTo(branch.q);
}

function nextArm(robot: OpenRobot | null): void {
  if (robot === null || robot.arms.length < 2) return;
  const index = robot.arms.findIndex((arm) => arm === robot.active.value);
  const next = robot.arms[(index + 1) % robot.arms.length];
  if (next !== undefined) robot.activate(next.info.name);
}
