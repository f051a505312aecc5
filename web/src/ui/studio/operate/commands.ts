/** What can be done with running robots, for the palette. */

import { isUnderWay } from "../../../state/operate/operator";
import { titleOfNamed } from "../../../state/program/titles";
import { wordsOf } from "../../../state/shared/said";
import type { Project } from "../../../state/shared/project";
import { t } from "../../../state/texts";
import type { RobotStatus, RunStatus } from "../../../wire/studio";
import type { Command } from "../../commands";

/** The robot of the open program, where it runs. */
function robotOf(project: Project): RobotStatus | undefined {
  const program = project.programs.value[project.openProgram.value ?? ""];
  return program === undefined ? undefined : project.operation.robot(program.robot);
}

function whyNotRun(project: Project): string | null {
  if (isUnderWay(project.operation.run)) return t("operate.run.underWay");
  const robot = robotOf(project);
  if (robot === undefined) return t("operate.run.none");
  const { name, holder, ready } = robot;
  if (holder !== "" && holder !== project.client) {
    const who = project.people.value.find(({ client }) => client === holder)?.name;
    return t("operate.run.held", { name: who ?? t("operate.control.somebody"), robot: name });
  }
  return ready
    ? null
    : t("operate.run.notReady", { robot: name, reason: wordsOf(robot.said ?? robot.reason) });
}

/** As the panel runs it where nobody has chosen otherwise: a real robot slowly. */
function usualRun(project: Project): { mode: RunStatus["mode"]; reduced: boolean; loop: boolean } {
  const robot = robotOf(project);
  return {
    mode: robot?.capabilities?.servo === false ? "uploaded" : "streamed",
    reduced: robot?.reduced === true || robot?.how === "real",
    loop: false,
  };
}

export function operateCommands(project: Project): readonly Command[] {
  const { operation } = project;
  const on = (): string | null => (operation.now.value.state === "on" ? null : t("operate.off"));
  const shown = (): string => operation.shown?.name ?? "";
  const open = (): string => project.openProgram.value ?? "";
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
      id: "operate.run",
      title: () => t("operate.command.run", { program: titleOfNamed(open(), project.programs.value) }),
      group: "operate",
      blocked: () => on() ?? whyNotRun(project),
      run: () => {
        project.mode.set("operate");
        void operation.start(open(), usualRun(project));
      },
    },
    {
      id: "operate.runFrom",
      title: () => t("operate.command.runFrom"),
      group: "operate",
      blocked: () =>
        on() ??
        whyNotRun(project) ??
        (usualRun(project).mode === "uploaded"
          ? t("operate.steps.whole")
          : project.openStep.value === null
            ? t("program.nothingSelected")
            : null),
      run: () => {
        project.mode.set("operate");
        void operation.start(open(), { ...usualRun(project), from_step: project.openStep.value ?? "" });
      },
    },
    {
      id: "operate.resumeStopped",
      title: () => t("operate.command.resumeStopped"),
      also: () => t("operate.run.resume"),
      group: "operate",
      blocked: () =>
        on() ?? whyNotRun(project) ?? (operation.run?.resumes_at ? null : t("operate.run.notStopped")),
      run: () => {
        project.mode.set("operate");
        void operation.resumeStopped();
      },
    },
    {
      id: "operate.resetParts",
      title: () => t("operate.resetParts"),
      group: "operate",
      blocked: () =>
        on() ??
        (isUnderWay(operation.run)
          ? t("operate.run.underWay")
          : operation.parts.value.length > 0
            ? null
            : t("operate.resetParts.none")),
      run: () => void operation.resetParts(),
    },
    {
      id: "operate.stopRun",
      title: () => t("operate.command.stopRun"),
      group: "operate",
      blocked: () => (isUnderWay(operation.run) ? null : t("operate.run.nothing")),
      run: () => project.stopAll(),
    },
    {
      id: "operate.pause",
      title: () => t(operation.run?.status === "paused" ? "operate.run.resume" : "operate.run.pause"),
      also: () => t("operate.run.resume"),
      group: "operate",
      keys: ["P"],
      blocked: () => (isUnderWay(operation.run) ? null : t("operate.run.nothing")),
      run: () => void (operation.run?.status === "paused" ? operation.resume() : operation.pause()),
    },
  ];
}
