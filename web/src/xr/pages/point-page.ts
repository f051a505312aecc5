/** A move to a point: the left hand guides the ghost's tool there; it is accepted only with its check in view. */

import { poseInWorld } from "../../state/shared/cell-geometry";
import { kindWords } from "../../state/program/step-text";
import { t } from "../../state/texts";
import { choice, type Row, row, text, title } from "../panel-content";
import { acceptRows } from "./accept";
import { checkGhost, whyNotAccepted } from "./ghost-check";
import { type ChosenMotion, FIRST_MOTION, motionRows } from "./motion-rows";
import type { Page, PageParts } from "./page";

/** `point`: one of the cell that is moved; null: a new one, with a step that goes there. */
export function pointPage(parts: PageParts, point: string | null): Page {
  const { doing, project, teaching, stage } = parts;
  const motion: ChosenMotion = { ...FIRST_MOTION };
  let how: "joint" | "line" = "joint";
  let mode: "move" | "turn" = "move";
  /** The ghost goes to the point as soon as it is there. */
  let goes = point !== null;
  const accept = async (): Promise<void> => {
    if (whyNotAccepted(checkGhost(teaching, parts.writeLength)) !== "") return;
    const done = point === null ? await doing.addStep(how, motion) : await teaching.touchUp(point);
    if (done) parts.goBack();
  };
  const place = (): string => {
    const xyz = teaching.tcp.value?.xyz;
    return xyz === undefined
      ? t("teach.notYet")
      : xyz.map((value, i) => `${"xyz"[i] ?? ""} ${parts.writeLength(value)}`).join("   ");
  };
  const moves = (): Row[] => [
    text(t("field.how"), "calm"),
    choice(
      "how",
      how,
      (["joint", "line"] as const).map((value) => ({ value, text: t(`field.how.${value}`) })),
      (value) => {
        how = value;
        parts.refresh();
      },
    ),
    ...motionRows(motion, (field, value) => {
      motion[field] = value;
      parts.refresh();
    }),
  ];
  return {
    name: "point",
    placing: true,
    rows: () => {
      const check = checkGhost(teaching, parts.writeLength);
      const program = project.programs.value[project.openProgram.value ?? ""];
      const noStep = point === null ? doing.whyNoStep(program, teaching.taught.value) : null;
      const gone = point !== null && poseInWorld(project.cell.value, point) === undefined;
      const blocked = gone
        ? t("headset.point.gone", { point })
        : parts.refusal("engineer") || (noStep ?? whyNotAccepted(check));
      return [
        title(point === null ? kindWords("go to") : t("teach.touchUp.of", { point })),
        text(t("headset.point.how"), "calm"),
        text(place()),
        text(check.words, check.tone),
        choice(
          "handle",
          mode,
          (["move", "turn"] as const).map((value) => ({ value, text: t(`view.tool.${value}`) })),
          (value) => {
            mode = value;
            stage.hands.handle.setMode(value);
            parts.refresh();
          },
        ),
        row({ kind: "button", id: "reset", text: t("teach.reset"), act: () => teaching.reset() }),
        ...(point === null ? moves() : []),
        ...acceptRows(blocked, () => void accept()),
      ];
    },
    frame: () => {
      if (!goes || point === null || teaching.taught.value === null) return;
      goes = false;
      teaching.goTo(point);
    },
    close: () => teaching.setDragging(false),
  };
}
