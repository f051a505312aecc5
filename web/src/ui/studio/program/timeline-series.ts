/** What the timeline draws of a recording: lines in the person's units. Pure. */

import type { AngleUnit, LengthUnit } from "../../../state/shared/units";
import { ANGLE_UNITS, LENGTH_UNITS } from "../../../state/shared/units";
import type { Program, Simulated } from "../../../wire/studio";

export type TimelineTab = "speed" | "joints" | "clearance";
export const TIMELINE_TABS: readonly TimelineTab[] = ["speed", "joints", "clearance"];

export interface Line {
  readonly label: string;
  readonly values: Float64Array;
}

export interface Lines {
  readonly t: Float64Array;
  readonly lines: readonly Line[];
  readonly unit: string;
  readonly decimals: number;
}

/** Distances are recorded up to here; beyond, nothing is near. */
export const FAR_M = 0.5;

/** The name of the program's arm in a recording. */
export function armOf(recording: Simulated, program: Program): string | undefined {
  const arms = Object.keys(recording.q);
  return (
    arms.find((key) => key === `${program.robot}/${program.arm ?? ""}`) ??
    arms.find((key) => key.startsWith(`${program.robot}/`)) ??
    arms[0]
  );
}

const scaled = (values: readonly number[], by: number): Float64Array =>
  Float64Array.from(values, (value) => value * by);

/** Arms whose tool moves at all, the program's own first. */
function movingArms(recording: Simulated, program: Program): readonly string[] {
  const own = armOf(recording, program);
  const others = Object.entries(recording.speeds)
    .filter(([key, speeds]) => key !== own && speeds.some((speed) => speed > 1e-4))
    .map(([key]) => key);
  return own === undefined ? others : [own, ...others];
}

export function linesOf(
  tab: TimelineTab,
  recording: Simulated,
  program: Program,
  units: { readonly length: LengthUnit; readonly angle: AngleUnit },
  jointName: (n: number) => string,
): Lines {
  const t = Float64Array.from(recording.t);
  const length = LENGTH_UNITS[units.length];
  const coarse = units.length === "mm" ? 0 : 2;
  switch (tab) {
    case "speed":
      return {
        t,
        unit: `${length.suffix}/s`,
        decimals: coarse,
        lines: movingArms(recording, program).map((key) => ({
          label: key,
          values: scaled(recording.speeds[key] ?? [], length.perInner),
        })),
      };
    case "joints": {
      const rows = recording.q[armOf(recording, program) ?? ""] ?? [];
      const { perInner, suffix } = ANGLE_UNITS[units.angle];
      return {
        t,
        unit: suffix,
        decimals: units.angle === "deg" ? 1 : 3,
        lines: (rows[0] ?? []).map((_, joint) => ({
          label: jointName(joint + 1),
          values: Float64Array.from(rows, (row) => (row[joint] ?? 0) * perInner),
        })),
      };
    }
    case "clearance":
      return {
        t,
        unit: length.suffix,
        decimals: units.length === "mm" ? 1 : 3,
        lines: [{ label: "", values: scaled(recording.distance_m, length.perInner) }],
      };
  }
}

/** The part of a time axis that is shown after zooming about a time; the whole where it would be longer. */
export function zoomed(
  [from, to]: readonly [number, number],
  about: number,
  factor: number,
  duration: number,
): readonly [number, number] {
  const span = Math.min(duration, Math.max(0.05, (to - from) * factor));
  const share = to > from ? (about - from) / (to - from) : 0.5;
  const start = Math.min(Math.max(0, about - share * span), duration - span);
  return [start, start + span];
}

/** A little room above and below the lines; `floor`: zero is the bottom. */
export function margins(low: number, high: number, floor: boolean): [number, number] {
  const bottom = floor ? Math.min(0, low) : low;
  // A line that stays where it is has numbers beside it, too, and none of them twice.
  if (high - bottom < 1e-3) return floor ? [bottom, bottom + 1] : [bottom - 0.5, bottom + 0.5];
  const room = (high - bottom) * 0.08;
  return [floor ? bottom : bottom - room, high + room];
}
