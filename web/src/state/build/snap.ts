/** Snapping: where a dragged thing comes to rest beside, on or in line with others. Boxes of the world, metres. Pure. */

import type { Vector } from "../shared/rotations";

/** A box along the axes of the world. */
export interface Bounds {
  readonly name: string;
  readonly min: Vector;
  readonly max: Vector;
}

export interface Snapped {
  /** By how much the dragged thing is moved further. */
  readonly by: Vector;
  /** What it is in line with, or lies on. */
  readonly with: readonly string[];
}

const NOT_AT_ALL: Snapped = { by: [0, 0, 0], with: [] };
/** Faces that touch already overlap by less than this. */
const TOUCH_M = 0.002;

/** Bring the sides or the middle of `moved` in line with those of a neighbour nearer than `within`, axis by axis. */
export function alignTo(
  moved: Bounds,
  others: readonly Bounds[],
  axes: readonly (0 | 1 | 2)[],
  within: number,
): Snapped {
  const by: [number, number, number] = [0, 0, 0];
  const found: string[] = [];
  for (const axis of axes) {
    let best = within;
    let name = "";
    const low = moved.min[axis];
    const high = moved.max[axis];
    for (const other of others) {
      const a = other.min[axis];
      const b = other.max[axis];
      // Same sides, same middle, or side by side.
      for (const shift of [a - low, b - high, (a + b - low - high) / 2, b - low, a - high]) {
        if (Math.abs(shift) < Math.abs(best)) {
          best = shift;
          name = other.name;
        }
      }
    }
    if (name === "") continue;
    by[axis] = best;
    found.push(name);
  }
  return found.length === 0 ? NOT_AT_ALL : { by, with: found };
}

/** Lay `moved` onto the highest thing below it; the floor (z = 0) where there is none. */
export function restOn(moved: Bounds, others: readonly Bounds[]): Snapped {
  let top = 0;
  let name = "";
  const middle = (moved.min[2] + moved.max[2]) / 2;
  for (const other of others) {
    const apart = [0, 1].some(
      (axis) =>
        (other.max[axis] ?? 0) <= (moved.min[axis] ?? 0) + TOUCH_M ||
        (other.min[axis] ?? 0) >= (moved.max[axis] ?? 0) - TOUCH_M,
    );
    if (apart || other.max[2] > middle || (name !== "" && other.max[2] <= top)) continue;
    if (other.max[2] < 0) continue;
    top = other.max[2];
    name = other.name;
  }
  const shift = top - moved.min[2];
  return { by: [0, 0, shift], with: name === "" ? [] : [name] };
}

/** The axes that a part of the handle moves: "X", "XY", "XYZ". */
export function axesOf(part: string | null): readonly (0 | 1 | 2)[] {
  const letters = part ?? "";
  return ([0, 1, 2] as const).filter((axis) => letters.includes("XYZ".charAt(axis)));
}
