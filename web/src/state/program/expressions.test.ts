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

  it("takes the field's own unit behind the number, and no other", () => {
    expect(evaluate("5 mm", "mm")).toEqual({ ok: true, value: 5 });
    expect(evaluate("-90°", "°")).toEqual({ ok: true, value: -90 });
    expect(evaluate("5 in", "mm").ok).toBe(false);
    expect(evaluate("mm", "mm").ok).toBe(false);
  });

  it("repeats a long text only in part", () => {
    const result = evaluate("9".repeat(400));
    expect(result.ok ? "" : result.message).toBe(`“${"9".repeat(24)}…” has no finite value.`);
  });
});
