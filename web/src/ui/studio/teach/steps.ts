/** Sizes of one press while jogging: metres and radians. */

export const MOVES: readonly number[] = [0.0001, 0.001, 0.01, 0.05];
export const TURNS: readonly number[] = [0.1, 1, 5, 15].map((degrees) => (degrees * Math.PI) / 180);
