import { describe, expect, it } from "vitest";
import type { Reach } from "../wire/generated";
import { makeSurface } from "./reach-overlay";

const square: Reach = {
  robot: "test",
  arm: "arm",
  origin: { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] },
  profile: [
    [0.1, 0],
    [0.5, 0],
    [0.5, 0.4],
    [0.1, 0.4],
  ],
  turn: [-Math.PI, Math.PI],
};

describe("the reach as a body of revolution", () => {
  it("keeps every point at the profile's radius and height", () => {
    const { position } = makeSurface(square);
    for (let i = 0; i < position.length; i += 3) {
      const [x = 0, y = 0, z = 0] = position.slice(i, i + 3);
      const radius = Math.hypot(x, y);
      expect(Math.min(Math.abs(radius - 0.1), Math.abs(radius - 0.5))).toBeLessThan(1e-6);
      expect(Math.min(Math.abs(z), Math.abs(z - 0.4))).toBeLessThan(1e-6);
    }
  });

  it("is closed at both ends where it does not go round, and has no ends where it does", () => {
    const sides = (reach: Reach): number => makeSurface(reach).position.length / 3 / 4 - 1;
    const whole = makeSurface(square).triangles.length / 3;
    expect(whole).toBe(sides(square) * 4 * 2);
    const half = { ...square, turn: [-Math.PI / 2, Math.PI / 2] } as const;
    expect(makeSurface(half).triangles.length / 3).toBe(sides(half) * 4 * 2 + 2 * 2);
  });
});
