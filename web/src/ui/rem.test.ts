import { describe, expect, it } from "vitest";
import { inRem } from "../../rem.js";

describe("Lengths of styles", () => {
  it.each([
    ["font-size", "13px", "0.8125rem"],
    ["font", "13px/1.45 var(--font)", "0.8125rem/1.45 var(--font)"],
    ["grid-template-columns", "72px minmax(0, 1fr) 76px", "4.5rem minmax(0, 1fr) 4.75rem"],
    ["inset", "-5px 0 auto 0", "-0.3125rem 0 auto 0"],
    ["max-width", "min(420px, calc(100% - 24px))", "min(26.25rem, calc(100% - 1.5rem))"],
    ["--row", "28px", "1.75rem"],
    ["border-radius", "12px", "0.75rem"],
  ])("%s: %s follows the text size", (property, value, wanted) => {
    expect(inRem(property, value)).toBe(wanted);
  });

  it.each([
    ["border", "1px solid var(--line)"],
    ["border-bottom-width", "6px"],
    ["box-shadow", "0 8px 28px rgb(0 0 0 / 0.45)"],
    ["gap", "2px"],
    ["background", 'url("data:image/svg+xml,10px") no-repeat right 7px center'],
    ["grid-area", "h10px"],
  ])("%s: %s stays", (property, value) => {
    expect(inRem(property, value)).toBe(value);
  });
});
