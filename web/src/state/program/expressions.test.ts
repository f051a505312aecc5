import { describe, expect, it } from "vitest";
import { evaluate } from "./expressions";

const value = (text: string): number => {
  const result = evaluate(text);
  if (!result.ok) throw new Error(result.message);
  return result.value;
};

describe("evaluate", () => {
  it.each([
    ["25.4*3", 76.2],
    ["-90+15/2", -82.5],
    ["(1+2)*3", 9],
    ["2-3-4", -5],
    ["24/4/2", 3],
    ["2^3^2", 512],
    ["-2^2", -4],
    ["--3", 3],
    ["1e-3", 0.001],
    [".5", 0.5],
    ["3.", 3],
    ["pi/4", Math.PI / 4],
    ["2×π", 2 * Math.PI],
    ["−12,5", -12.5],
    ["  7 ", 7],
  ])("%s", (text, expected) => {
    expect(value(text)).toBeCloseTo(expected, 12);
  });

  it.each(["", "abc", "1 2", "3+", "(1", "1)", "*2", "1..2", "pi pi", "alert(1)", "1/0", "0/0", "1e999"])(
    "refuses “%s” with a reason",
    (text) => {
      const result = evaluate(text);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.message).toMatch(/number|finite/);
    },
  );

  it.each([
    ["5 mm", "mm", 5],
    ["10cm", "mm", 100],
    ["0.5 in", "mm", 12.7],
    ['2"', "mm", 50.8],
    ["1 m + 20 mm", "m", 1.02],
    ["2 * (1 cm + 5)", "mm", 30],
    ["100 MM", "in", 100 / 25.4],
    ["-90°", "°", -90],
    ["1.57 rad", "°", (1.57 * 180) / Math.PI],
    ["pi/2 rad", "°", 90],
    ["10 cm / 4", "mm", 25],
    ["90 deg", "rad", Math.PI / 2],
    ["0.2 m/s", "mm/s", 200],
    ["1.5 s", "s", 1.5],
    ["250 ms", "s", 0.25],
    ["500 g", "kg", 0.5],
    ["50 %", "%", 50],
  ])("reads “%s” in a field in %s", (text, suffix, expected) => {
    const result = evaluate(text, suffix);
    expect(result.ok ? result.value : result.message).toBeCloseTo(expected, 9);
  });

  it("says which units a field takes where another was typed", () => {
    const result = evaluate("5 kg", "mm");
    expect(result.ok ? "" : result.message).toBe(
      "“5 kg” has another unit than this field: use mm, cm, m, or in.",
    );
    expect(evaluate("mm", "mm").ok).toBe(false);
    expect(evaluate("5 rad", "").ok).toBe(false);
  });

  it("repeats a long text only in part", () => {
    const result = evaluate("9".repeat(400));
    expect(result.ok ? "" : result.message).toBe(`“${"9".repeat(24)}…” has no finite value.`);
  });
});
