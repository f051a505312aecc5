import { describe, expect, it } from "vitest";
import { Steady, STEADY_MS } from "./steady";

describe("Steady", () => {
  const set = (place: number | null): { place: number | null; ms: number; steady: Steady } => {
    const at = { place, ms: 1000 } as { place: number | null; ms: number; steady: Steady };
    at.steady = new Steady(
      () => at.place,
      () => at.ms,
    );
    at.steady.look();
    return at;
  };

  it("is so from the start", () => {
    expect(set(300).steady.at(1000)).toBe(true);
    expect(set(null).steady.at(1000)).toBe(true);
  });

  it("is not so for a while after they have moved, seen or not", () => {
    const at = set(300);
    at.place = 328;
    expect(at.steady.at(at.ms)).toBe(false);
    at.ms += STEADY_MS - 1;
    expect(at.steady.at(at.ms)).toBe(false);
    at.ms += 1;
    expect(at.steady.at(at.ms)).toBe(true);
  });

  it("counts from when they were first seen elsewhere", () => {
    const at = set(300);
    at.place = 328;
    at.steady.look();
    at.ms += STEADY_MS;
    expect(at.steady.at(at.ms)).toBe(true);
  });

  it("does not count that they come and go", () => {
    const at = set(null);
    at.place = 300;
    expect(at.steady.at(at.ms)).toBe(true);
    at.place = null;
    at.steady.look();
    at.place = 340;
    expect(at.steady.at(at.ms)).toBe(true);
  });

  it("counts from when the finger came down, however late the page handles it", () => {
    const at = set(300);
    at.place = 328;
    at.steady.look();
    const pressedMs = at.ms + 1;
    at.ms += 10 * STEADY_MS;
    expect(at.steady.at(pressedMs)).toBe(false);
    expect(at.steady.at(at.ms)).toBe(true);
  });

  it("takes no press for later than now", () => {
    const at = set(300);
    at.place = 328;
    at.steady.look();
    expect(at.steady.at(at.ms + 10 * STEADY_MS)).toBe(false);
  });
});
