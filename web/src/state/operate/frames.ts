/**
 * The binary messages of running robots: float64, first the time, then for each arm four stamps, what is measured and what
 * it was sent. Stamps are seconds of the server's clock.
 */

/** One arm in a message. Radians (metres where a joint slides). */
export interface ArmFrame {
  readonly measured: readonly number[];
  /** The newest setpoint that was really sent; null: there is none that the arm has to keep to. */
  readonly sent: readonly number[] | null;
  /** When the measured joints were received from the controller. */
  readonly stateS: number;
  /** When the setpoint was sent; NaN: there is none. */
  readonly sentS: number;
  /** When the sample of the intent was taken that the setpoint follows; NaN: it follows nobody's. */
  readonly intentS: number;
  /** When the first setpoint was sent that follows this intent; NaN: it follows nobody's. */
  readonly obeyedS: number;
}

/** What is shown of an arm. */
export interface ArmJoints {
  readonly measured: readonly number[];
  readonly sent: readonly number[] | null;
  /** How far each joint is from where it was sent, at any time since it should have followed. */
  readonly apart: readonly number[];
}

/** By robot/arm. */
export type JointsNow = Readonly<Record<string, ArmJoints>>;
export type FramesNow = Readonly<Record<string, ArmFrame>>;

/** More than this from where it was sent is shown: half a degree, or 5 mm where a joint slides. */
export const APART = Math.PI / 360;

/** Read a message; null where it does not fit the arms that are known, as in the moment when they change. */
export function readJoints(
  data: ArrayBuffer,
  layout: readonly (readonly [string, number])[],
): FramesNow | null {
  const count = layout.reduce((sum, [, dof]) => sum + 4 + 2 * dof, 1);
  if (layout.length === 0 || data.byteLength !== 8 * count) return null;
  const view = new DataView(data);
  let at = 0;
  const next = (): number => view.getFloat64((at += 8), true);
  const row = (dof: number): readonly number[] => Array.from({ length: dof }, next);
  const found: Record<string, ArmFrame> = {};
  for (const [arm, dof] of layout) {
    const [stateS, sentS, intentS, obeyedS] = [next(), next(), next(), next()];
    const measured = row(dof);
    const sent = row(dof);
    if (measured.every(Number.isFinite))
      found[arm] = {
        measured,
        sent: sent.every(Number.isFinite) ? sent : null,
        stateS,
        sentS,
        intentS,
        obeyedS,
      };
  }
  return found;
}

/** The most that a joint is away from where it was sent. */
export function divergence({ apart }: ArmJoints): number {
  return Math.max(0, ...apart);
}
