/** What is allowed for a joint, and how near its value is to the limits. */

import type { JointInfo } from "../../wire/generated";
import { t } from "../texts";
import { fromCatalogue } from "./catalogue-texts";
import { formatWithUnit, type Unit } from "./units";

export type Nearness = "free" | "near" | "at";

/** Nearer than this to a limit a person is warned: 5°, or 2 % of a slide's travel. */
const NEAR_RAD = (5 * Math.PI) / 180;
const NEAR_SHARE = 0.02;
/** Nearer than this the joint stands at its limit: a twentieth of a degree. */
const AT_RAD = Math.PI / 3600;

/** The range that a slider shows; a joint without end shows one turn to either side. */
export function sliderRange(joint: JointInfo): readonly [number, number] {
  const reach = joint.kind === "prismatic" ? 5 : 2 * Math.PI;
  return [joint.lower ?? -reach, joint.upper ?? reach];
}

export function nearness(joint: JointInfo, value: number): Nearness {
  const room = Math.min(value - (joint.lower ?? -Infinity), (joint.upper ?? Infinity) - value);
  if (joint.kind === "prismatic") {
    const [lower, upper] = sliderRange(joint);
    return room <= 1e-5 ? "at" : room < NEAR_SHARE * (upper - lower) ? "near" : "free";
  }
  return room <= AT_RAD ? "at" : room < NEAR_RAD ? "near" : "free";
}

/** Hold a value inside the joint's limits. */
export function clampTo(joint: JointInfo, value: number): number {
  return Math.min(joint.upper ?? Infinity, Math.max(joint.lower ?? -Infinity, value));
}

/** Return why a typed value is not allowed, or null where it is. Half of the last shown digit is forgiven. */
export function whyOutside(joint: JointInfo, value: number, unit: Unit): string | null {
  const slack = 0.5 * 10 ** -unit.decimals * (1 / unit.perInner);
  const { lower, upper } = joint;
  if ((lower === null || value >= lower - slack) && (upper === null || value <= upper + slack)) return null;
  const shown = formatWithUnit(value, unit);
  const from = lower === null ? "−∞" : formatWithUnit(lower, unit);
  const to = upper === null ? "∞" : formatWithUnit(upper, unit);
  return t("robot.joint.outside", { joint: fromCatalogue(joint.title), from, to, value: shown });
}
