import { describe, expect, it } from "vitest";
import { aboutAxis, type Quaternion } from "../shared/rotations";
import { RecordedPath, TOLERANCE_M } from "./recorded-path";

const led = (
  places: readonly (readonly [number, number, number])[],
  turns: readonly number[] = [],
): RecordedPath => {
  const path = new RecordedPath();
  places.forEach((xyz, i) => {
    const wxyz: Quaternion = aboutAxis("z", turns[i] ?? 0);
    path.add({ pose: { xyz, wxyz }, q: [i] });
  });
  return path;
};

describe("RecordedPath", () => {
  it("keeps two points of a straight way, and three of a corner", () => {
    const line = led(Array.from({ length: 101 }, (_, i) => [0.001 * i, 0.002 * i, 0] as const));
    expect(line.thinned().map(({ q }) => q[0])).toEqual([0, 100]);
    const corner = led(
      Array.from(
        { length: 101 },
        (_, i) => [0.001 * Math.min(i, 50), 0.001 * Math.max(0, i - 50), 0] as const,
      ),
    );
    expect(corner.thinned().map(({ q }) => q[0])).toEqual([0, 50, 100]);
  });

  it("no place that was led is farther than the tolerance from what is kept", () => {
    const radius = 0.1;
    const places = Array.from({ length: 400 }, (_, i) => {
      const turn = (Math.PI * i) / 399;
      return [radius * Math.cos(turn), radius * Math.sin(turn), 0] as const;
    });
    const kept = led(places).thinned();
    // Of a circle, the height of an arc over its chord is r(1 − cos(θ/2)).
    const most = 2 * Math.acos(1 - TOLERANCE_M / radius);
    expect(kept.length).toBeLessThan((2 * Math.PI) / most + 2);
    expect(kept.length).toBeGreaterThan(Math.PI / most);
    for (let i = 1; i < kept.length; i++) {
      const [a, b] = [kept[i - 1]?.pose.xyz ?? [0, 0, 0], kept[i]?.pose.xyz ?? [0, 0, 0]];
      const chord = Math.hypot(b[0] - a[0], b[1] - a[1]);
      expect(radius - Math.sqrt(radius ** 2 - (chord / 2) ** 2)).toBeLessThan(TOLERANCE_M * 1.05);
    }
  });

  it("keeps a turn in place, and leaves out what stands still", () => {
    const still = led(Array.from({ length: 50 }, () => [1, 1, 1] as const));
    expect(still.length).toBe(1);
    const swing = led(
      Array.from({ length: 41 }, () => [1, 1, 1] as const),
      Array.from({ length: 41 }, (_, i) => 0.02 * Math.min(i, 40 - i)),
    );
    expect(swing.thinned().map(({ q }) => q[0])).toEqual([0, 20, 40]);
  });
});
