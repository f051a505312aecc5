import { describe, expect, it } from "vitest";
import { formatNumber, formatSignificant } from "./numbers";

describe("formatNumber", () => {
  it("writes a true minus and a fixed count of decimals", () => {
    expect(formatNumber(-118, 1)).toBe("−118.0");
    expect(formatNumber(312.449, 2)).toBe("312.45");
  });

  it("has no negative zero", () => {
    expect(formatNumber(-0, 2)).toBe("0.00");
    expect(formatNumber(-0.004, 2)).toBe("0.00");
    expect(formatNumber(-0.006, 2)).toBe("−0.01");
  });

  it("says where there is no number", () => {
    expect(formatNumber(Number.NaN, 2)).toBe("–");
    expect(formatNumber(-Infinity, 2)).toBe("−∞");
  });
});

describe("formatSignificant", () => {
  it("keeps three digits of whatever size", () => {
    expect(formatSignificant(0.012345)).toBe("0.0123");
    expect(formatSignificant(-12.345)).toBe("−12.3");
    expect(formatSignificant(12345)).toBe("12345");
    expect(formatSignificant(0)).toBe("0");
  });
});
