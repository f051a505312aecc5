import { describe, expect, it } from "vitest";
import {
  aboutAxis,
  editRotation,
  fromRpy,
  fromVector,
  fromZyz,
  multiply,
  normalise,
  type Quaternion,
  toRpy,
  toVector,
  toZyz,
  withComponent,
} from "./rotations";

/** q and −q are the same rotation. */
function expectSame(a: Quaternion, b: Quaternion): void {
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  expect(Math.abs(dot)).toBeCloseTo(1, 12);
}

function* samples(): Generator<Quaternion> {
  // A fixed low-discrepancy walk over the unit quaternions.
  for (let i = 1; i <= 200; i++) {
    const u = [0.5545, 0.3076, 0.7549, 0.2114].map((step) => ((i * step) % 1) * 2 - 1);
    yield normalise([u[0] ?? 0, u[1] ?? 0, u[2] ?? 0, u[3] ?? 0]);
  }
  for (const axis of ["x", "y", "z"] as const) {
    for (const angle of [0, Math.PI / 2, Math.PI, -Math.PI / 2, 1e-13]) yield aboutAxis(axis, angle);
  }
}

describe("rotations", () => {
  it("come back from every way of writing them, also at the poles", () => {
    for (const q of samples()) {
      expectSame(fromRpy(toRpy(q)), q);
      expectSame(fromZyz(toZyz(q)), q);
      expectSame(fromVector(toVector(q)), q);
    }
  });

  it("agree with numbers worked out by hand", () => {
    // Rz(90°) Ry(0) Rx(180°): the tool looks down, its x along world y.
    const down = fromRpy([Math.PI, 0, Math.PI / 2]);
    expectSame(down, [0, Math.SQRT1_2, Math.SQRT1_2, 0]);
    expect(toVector(aboutAxis("z", 1.2))).toEqual([0, 0, expect.closeTo(1.2, 12)]);
    expect(toZyz(aboutAxis("y", 0.7))).toEqual([0, expect.closeTo(0.7, 12), 0]);
    expectSame(multiply(aboutAxis("z", 0.4), aboutAxis("z", 0.5)), aboutAxis("z", 0.9));
  });

  it("keep a quaternion at length 1 when one component is set", () => {
    for (const q of samples()) {
      const edited = withComponent(q, 1, 0.25);
      expect(Math.hypot(...edited)).toBeCloseTo(1, 12);
      expect(edited[1]).toBe(0.25);
    }
    expect(withComponent([1, 0, 0, 0], 0, 0)).toEqual([0, 1, 0, 0]);
  });

  it("change only the number that was typed", () => {
    const q = fromRpy([0.1, 0.2, 0.3]);
    const rpy = toRpy(editRotation(q, "rpy", 1, -0.5));
    expect(rpy).toEqual([expect.closeTo(0.1, 12), expect.closeTo(-0.5, 12), expect.closeTo(0.3, 12)]);
  });
});
