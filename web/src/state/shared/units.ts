/** Units a person may choose. Inside everything is SI and radians; these are for eyes and fingers only. */

import { formatNumber } from "./numbers";

export type AngleUnit = "deg" | "rad";
export type LengthUnit = "mm" | "m" | "in";

export interface Unit {
  /** Written after the number. */
  readonly suffix: string;
  /** How many of this unit make one of the inner unit (radian, metre, 1). */
  readonly perInner: number;
  readonly decimals: number;
  /** What one press of an arrow key changes, in this unit. */
  readonly step: number;
}

export const ANGLE_UNITS: Readonly<Record<AngleUnit, Unit>> = {
  deg: { suffix: "°", perInner: 180 / Math.PI, decimals: 2, step: 1 },
  rad: { suffix: "rad", perInner: 1, decimals: 4, step: 0.01 },
};

export const LENGTH_UNITS: Readonly<Record<LengthUnit, Unit>> = {
  mm: { suffix: "mm", perInner: 1000, decimals: 2, step: 1 },
  m: { suffix: "m", perInner: 1, decimals: 4, step: 0.001 },
  in: { suffix: "in", perInner: 1 / 0.0254, decimals: 3, step: 0.05 },
};

export const PLAIN: Unit = { suffix: "", perInner: 1, decimals: 5, step: 0.01 };

export const toUnit = (inner: number, unit: Unit): number => inner * unit.perInner;
export const fromUnit = (shown: number, unit: Unit): number => shown / unit.perInner;

/** Write an inner value in a unit, without the suffix. */
export const formatIn = (inner: number, unit: Unit): string =>
  formatNumber(toUnit(inner, unit), unit.decimals);

/** Write an inner value in a unit, with the suffix. */
export function formatWithUnit(inner: number, unit: Unit, decimals: number = unit.decimals): string {
  const gap = unit.suffix === "" || unit.suffix === "°" ? "" : " ";
  return formatNumber(toUnit(inner, unit), decimals) + gap + unit.suffix;
}
