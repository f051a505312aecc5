/** One step of the program: what the check says of it, its values, its place, and away with it. */

import { findStep, isOn, numbersOf } from "../../state/program/steps";
import { mainFinding, stepVerdicts } from "../../state/program/steps-check";
import { stepSentence } from "../../state/program/step-text";
import { wordsOf } from "../../state/shared/said";
import { asSentence } from "../../state/shared/sentences";
import { t } from "../../state/texts";
import type { Action } from "../../wire/studio";
import { type Button, choice, type Row, row, text, title } from "../panel-content";
import { motionRows } from "./motion-rows";
import type { Page, PageParts } from "./page";
import { pointPage } from "./point-page";
import { openTaught } from "./taught";
import { waitPage } from "./wait-page";

export function stepPage(parts: PageParts, id: string): Page {
  const { project, steps } = parts;
  const set = async (field: string, value: unknown): Promise<void> => {
    const why = await steps.setField(id, field, value);
    if (why !== null) project.complain(why);
  };
  const button = (name: string, words: string, act: () => void, tone: Button["tone"] = "plain"): Button => ({
    kind: "button",
    id: name,
    text: words,
    tone,
    blocked: parts.refusal("engineer"),
    act,
  });

  const fields = (action: Action): readonly Row[] => {
    switch (action.do) {
      case "go to": {
        const { to } = action;
        return [
          choice(
            "how",
            action.how ?? "joint",
            (["joint", "line"] as const).map((value) => ({ value, text: t(`field.how.${value}`) })),
            (value) => void set("how", value),
          ),
          ...motionRows(
            { speed: action.speed ?? "v200", zone: action.zone ?? "fine" },
            (field, value) => void set(field, value),
          ),
          ...(typeof to === "string"
            ? [
                row(
                  button("adjust", t("teach.touchUp.of", { point: to }), () =>
                    openTaught(parts, pointPage(parts, to)),
                  ),
                ),
              ]
            : []),
        ];
      }
      case "move axis":
        return motionRows(
          { speed: action.speed ?? "v200", zone: action.zone ?? "fine" },
          (field, value) => void set(field, value),
        );
      case "wait":
        return [
          row(
            button("time", t("headset.step.time"), () =>
              parts.open(waitPage(parts, { id, seconds: action.seconds })),
            ),
          ),
        ];
      case "tool":
        return [
          choice(
            "state",
            action.state,
            (["open", "close"] as const).map((value) => ({ value, text: t(`step.tool.${value}`) })),
            (value) => void set("state", value),
          ),
        ];
      case "call":
      case "comment":
      case "group":
      case "if":
      case "pick":
      case "place":
      case "repeat":
      case "set":
      case "set output":
      case "speed":
      case "wait input":
      case "while":
        return [text(t("headset.step.elsewhere"), "calm")];
    }
  };

  return {
    name: "step",
    rows: () => {
      const { program } = steps;
      const found = program === null ? null : findStep(program, id);
      if (program === null || found === null) return [title(t("headset.step.gone"))];
      const [action] = found;
      const verdict = stepVerdicts(program, project.checks.value[program.name], project.seq).get(id);
      const finding = mainFinding(verdict?.report ?? null);
      const fails = verdict?.mark === "fails";
      return [
        title(t("field.step", { number: numbersOf(program).get(id) ?? "" })),
        text(stepSentence(program, id)),
        ...(finding === null
          ? []
          : [text(asSentence(wordsOf(finding.said ?? finding.message)), fails ? "stop" : "warn")]),
        ...fields(action),
        row(
          button("up", t("headset.step.up"), () => void steps.moveBy(-1, [id])),
          button("down", t("headset.step.down"), () => void steps.moveBy(1, [id])),
        ),
        row(
          button(
            "enable",
            t(isOn(action) ? "headset.step.off" : "headset.step.on"),
            () => void steps.enable(!isOn(action), [id]),
          ),
          button(
            "remove",
            t("headset.step.remove"),
            () => void steps.remove([id]).then((done) => (done ? parts.goBack() : undefined)),
          ),
        ),
      ];
    },
  };
}
