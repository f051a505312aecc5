import { describe, expect, it } from "vitest";
import { ANGLE_UNITS, formatIn, formatWithUnit, fromUnit, LENGTH_UNITS, toUnit } from "./units";

describe("units", () => {
  it("converts both ways", () => {
    for (const unit of [...Object.values(ANGLE_UNITS), ...Object.values(LENGTH_UNITS)]) {
      expect(fromUnit(toUnit(0.731, unit), unit)).toBeCloseTo(0.731, 14);
    }
  });

  it("knows the inch and the degree", () => {
    expect(toUnit(0.0254, LENGTH_UNITS.in)).toBeCloseTo(1, 14);
    expect(toUnit(Math.PI, ANGLE_UNITS.deg)).toBeCloseTo(180, 12);
  });

  it("writes values with the decimals of their unit", () => {
    expect(formatIn(-0.3744, LENGTH_UNITS.mm)).toBe("−374.40");
    expect(formatWithUnit(-0.3744, LENGTH_UNITS.mm)).toBe("−374.40 mm");
    expect(formatWithUnit(Math.PI / 2, ANGLE_UNITS.deg, 1)).toBe("90.0°");
  });
});
