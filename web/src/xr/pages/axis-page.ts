/** A move of single axes: hold an axis and push the stick, or hold − and +; B or Y while it is held takes it back. */

import { fromCatalogue } from "../../state/shared/catalogue-texts";
import { clampTo } from "../../state/shared/joints";
import { kindWords } from "../../state/program/step-text";
import { t } from "../../state/texts";
import type { JointInfo } from "../../wire/generated";
import { type Button, type Row, text, title } from "../panel-content";
import { beyondDead } from "../rig";
import { acceptRows } from "./accept";
import { checkGhost, whyNotAccepted } from "./ghost-check";
import { AXIS_MOTION, type ChosenMotion, motionRows } from "./motion-rows";
import type { Page, PageInput, PageParts } from "./page";

/** At full deflection, however fast the headset draws: radians, or metres of a slide, a second. */
export const TURN_RAD_S = Math.PI / 6;
export const SLIDE_M_S = 0.1;

/** The axis that is held, what it had when it was taken, and which way a button pushes it; 0: the stick does. */
interface Held {
  readonly axis: number;
  readonly from: readonly number[];
  readonly way: -1 | 0 | 1;
}

export function axisPage(parts: PageParts): Page {
  const { project, teaching, steps } = parts;
  const motion: ChosenMotion = { ...AXIS_MOTION };
  let held: Held | null = null;
  const control = () => teaching.taught.value?.control ?? null;

  const hold = (axis: number, way: -1 | 0 | 1, begins: boolean): void => {
    const now = control();
    if (begins && now !== null) {
      teaching.moves.record("");
      held = { axis, from: now.q.value, way };
    } else {
      held = null;
      now?.refresh();
    }
    parts.refresh();
  };

  const accept = async (): Promise<void> => {
    const now = control();
    if (now === null || whyNotAccepted(checkGhost(teaching, parts.writeLength)) !== "") return;
    const action = { do: "move axis", q: now.q.value, ...motion } as const;
    if (await steps.insertActions([action], steps.spotAfter())) parts.goBack();
  };

  const axisRow = (joint: JointInfo, axis: number, value: number): Row => {
    const write = joint.kind === "prismatic" ? parts.writeLength : parts.writeAngle;
    const button = (id: string, words: string, way: -1 | 0 | 1): Button => ({
      kind: "button",
      id: `axis:${axis}${id}`,
      text: words,
      when: "hold",
      on: held?.axis === axis && held.way === way,
      act: (begins) => hold(axis, way, begins),
    });
    const range = `${joint.lower === null ? "−∞" : write(joint.lower)} … ${joint.upper === null ? "∞" : write(joint.upper)}`;
    return {
      elements: [
        button("", fromCatalogue(joint.title), 0),
        { kind: "text", text: `${write(value)}\n${range}` },
        button("-", "−", -1),
        button("+", "+", 1),
      ],
      shares: [3, 3, 1, 1],
    };
  };

  return {
    name: "axis",
    rows: () => {
      const now = control();
      const check = checkGhost(teaching, parts.writeLength);
      const program = project.programs.value[project.openProgram.value ?? ""];
      const blocked =
        parts.refusal("engineer") ||
        (parts.doing.whyNoStep(program, teaching.taught.value) ?? whyNotAccepted(check));
      const joints = now?.info.joints ?? [];
      return [
        title(kindWords("move axis")),
        text(t("headset.axis.how"), "calm"),
        ...joints.map((joint, axis) => axisRow(joint, axis, now?.q.value[axis] ?? 0)),
        text(check.words, check.tone),
        ...motionRows(motion, (field, value) => {
          motion[field] = value;
          parts.refresh();
        }),
        ...acceptRows(blocked, () => void accept()),
      ];
    },
    frame: ({ seconds, stick }: PageInput) => {
      const now = control();
      const joint = held === null ? undefined : now?.info.joints[held.axis];
      if (held === null || now === null || joint === undefined) return;
      const share = held.way === 0 ? beyondDead(stick) : held.way;
      if (share === 0) return;
      const speed = joint.kind === "prismatic" ? SLIDE_M_S : TURN_RAD_S;
      const before = now.q.value[held.axis] ?? 0;
      const after = clampTo(joint, before + share * speed * seconds);
      if (after !== before) now.setJoint(held.axis, after);
    },
    back: () => {
      if (held === null) return false;
      control()?.glideTo(held.from);
      held = null;
      parts.refresh();
      return true;
    },
    close: () => {
      held = null;
    },
  };
}
