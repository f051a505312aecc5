/** Curves of sticks: nothing near the middle, fine beside it, everything at the end. */

export interface Curve {
  /** Up to here nothing happens, 0 to 0.9 of the way. */
  readonly dead: number;
  /** 1: straight; more: finer near the middle. 0.5 to 4. */
  readonly power: number;
}

/** Of a stick: pads of some years rest up to a tenth beside their middle. */
export const STICK: Curve = { dead: 0.12, power: 2 };
/** Of a button or a key. */
export const BUTTON: Curve = { dead: 0.5, power: 1 };

/** The share of the speed that a deflection asks for: odd, monotonic, 0 in the dead zone, ±1 at the ends. */
export function shaped(value: number, { dead, power }: Curve): number {
  const size = Math.min(1, Math.abs(value));
  if (size <= dead) return 0;
  return Math.sign(value) * ((size - dead) / (1 - dead)) ** power;
}
