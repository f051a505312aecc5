/** The binary messages of running robots: float64, first the time, then for each arm what is measured and what was sent. */

/** Radians (metres where a joint slides). */
export interface ArmJoints {
  readonly measured: readonly number[];
  readonly sent: readonly number[];
}

/** By robot/arm. */
export type JointsNow = Readonly<Record<string, ArmJoints>>;

/** More than this between measured and sent is shown: half a degree, or 5 mm where a joint slides. */
export const APART = Math.PI / 360;

/** Read a message; null where it does not fit the arms that are known, as in the moment when they change. */
export function readJoints(
  data: ArrayBuffer,
  layout: readonly (readonly [string, number])[],
): JointsNow | null {
  const count = layout.reduce((sum, [, dof]) => sum + 2 * dof, 1);
  if (layout.length === 0 || data.byteLength !== 8 * count) return null;
  const view = new DataView(data);
  let at = 8;
  const row = (dof: number): readonly number[] => {
    const values = Array.from({ length: dof }, (_, i) => view.getFloat64(at + 8 * i, true));
    at += 8 * dof;
    return values;
  };
  const found: Record<string, ArmJoints> = {};
  for (const [arm, dof] of layout) {
    const measured = row(dof);
    const sent = row(dof);
    if (measured.every(Number.isFinite)) found[arm] = { measured, sent };
  }
  return found;
}

/** The most that a joint is away from what it was sent. */
export function divergence({ measured, sent }: ArmJoints): number {
  return measured.reduce((most, value, i) => Math.max(most, Math.abs(value - (sent[i] ?? value))), 0);
}
