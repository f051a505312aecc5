/** Speed and accuracy of a move, in words that say what they are. */

import { t, type TextKey } from "../../state/texts";
import { choice, type Row, text } from "../panel-content";

/** The slow, middle and fast speed of a pendant for learners, and how near a move comes to its point. */
const SPEEDS = ["v50", "v400", "v2000"] as const;
const ZONES = ["fine", "z50", "z200"] as const;
/** Slow, and exactly to the point. */
export const FIRST_MOTION = { speed: "v50", zone: "fine" } as const;
/** A move of single axes is rarely delicate. */
export const AXIS_MOTION = { speed: "v400", zone: "fine" } as const;

export interface ChosenMotion {
  speed: string;
  zone: string;
}

/** Rows to choose them; what is set already and is none of the choices stays as it is until one is chosen. */
export function motionRows(
  motion: Readonly<ChosenMotion>,
  set: (field: keyof ChosenMotion, value: string) => void,
): Row[] {
  const choices = (field: "speed" | "zone", values: readonly string[]): Row =>
    choice(
      field,
      motion[field],
      values.map((value) => ({ value, text: t(`headset.${field}.${value}` as TextKey) })),
      (value) => set(field, value),
    );
  return [
    text(t("field.speed"), "calm"),
    choices("speed", SPEEDS),
    text(t("field.zone"), "calm"),
    choices("zone", ZONES),
  ];
}
