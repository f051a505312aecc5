/** The robots: start them, run the program once or again and again, pause, resume. */

import { isUnderWay } from "../../state/operate/operator";
import { isOwn, runnerOf, whyNotRun } from "../../state/operate/run-readiness";
import { stepSentence } from "../../state/program/step-text";
import { asSentence } from "../../state/shared/sentences";
import { t } from "../../state/texts";
import { type Button, choice, row, type Row, text, title } from "../panel-content";
import type { Page, PageParts } from "./page";
import { titleOf } from "./program-page";

const SPEEDS = [0.1, 0.25, 0.5, 1] as const;

export function runPage(parts: PageParts): Page {
  const { project, steps } = parts;
  const { operation } = project;
  let loop = false;

  const button = (
    id: string,
    words: string,
    blocked: string,
    act: () => void,
    tone: Button["tone"] = "plain",
  ): Button => ({
    kind: "button",
    id,
    text: words,
    blocked: parts.refusal("operator") || blocked,
    tone,
    act,
  });
  const waiting = (what: string): string =>
    operation.busy.value.includes(what) ? t("headset.run.waiting") : "";

  const offRows = (): Row[] => {
    const now = operation.now.value;
    const starting = now.state === "starting" || operation.busy.value.includes("connect");
    if ((project.cell.value.robots ?? []).length === 0) return [text(t("operate.noRobot"), "calm")];
    return [
      ...(now.state === "failed" && !starting
        ? [text(`${t("operate.failed")}: ${asSentence(now.said ?? now.message)}`, "stop")]
        : []),
      text(t(starting ? "operate.starting" : "headset.run.off"), "calm"),
      row(
        button(
          "connect",
          t("operate.startVirtual"),
          starting ? t("operate.starting") : "",
          () => void operation.connect(operation.interrupted.value?.addresses ?? {}),
          "primary",
        ),
      ),
    ];
  };

  const onRows = (): Row[] => {
    const now = operation.now.value;
    const { program } = steps;
    const { run } = now;
    const robot = runnerOf({ program, now });
    const watches = parts.refusal("operator") !== "";
    const place = { program, now, people: project.people.value, client: project.client, watches };
    const why = whyNotRun(place);
    const noLead = watches || !isOwn(robot, project.client) ? why || t("headset.run.notYours") : "";
    const underWay = isUnderWay(run);
    const main =
      run?.status === "paused"
        ? button(
            "resume",
            t("operate.run.resume"),
            noLead || waiting("pause"),
            () => void operation.resume(),
            "primary",
          )
        : underWay
          ? button(
              "pause",
              t("operate.run.pause"),
              noLead || waiting("pause") || (run?.status === "running" ? "" : t("headset.run.waiting")),
              () => void operation.pause(),
            )
          : button(
              "run",
              t("operate.run.start"),
              program === null || robot === undefined ? t("operate.run.none") : why || waiting("run"),
              () => {
                if (program === null) return;
                const mode = robot?.capabilities?.servo === false ? "uploaded" : "streamed";
                const reduced = robot?.reduced === true || robot?.how === "real";
                void operation.start(program.name, { mode, reduced, loop: loop && mode === "streamed" });
              },
              "primary",
            );
    const sentence = run?.step == null ? "" : stepSentence(project.programs.value[run.program], run.step);
    return [
      ...(program === null ? [] : [text(titleOf(program))]),
      ...(run === null
        ? []
        : [
            text(`${t(`operate.run.status.${run.status}`)}${sentence === "" ? "" : `: ${sentence}`}`, "good"),
          ]),
      ...(run !== null && run.message !== "" ? [text(asSentence(run.said ?? run.message), "warn")] : []),
      row(main, {
        kind: "button",
        id: "loop",
        text: t("operate.run.loop"),
        on: loop,
        blocked: underWay ? t("headset.run.waiting") : "",
        act: () => {
          loop = !loop;
          parts.refresh();
        },
      }),
      ...(main.blocked === undefined || main.blocked === "" ? [] : [text(main.blocked, "warn")]),
      text(t("operate.run.speed"), "calm"),
      choice(
        "override",
        operation.speed.value,
        SPEEDS.map((value) => ({ value, text: `${Math.round(100 * value)} %` })),
        (value) => void operation.setSpeed(value),
      ),
      row(
        button(
          "disconnect",
          t("operate.disconnect"),
          underWay ? t("headset.run.waiting") : waiting("disconnect"),
          () => void operation.disconnect(),
        ),
      ),
    ];
  };

  return {
    name: "run",
    rows: () => [title(t("operate.title")), ...(operation.now.value.state === "on" ? onRows() : offRows())],
  };
}
