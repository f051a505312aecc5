import { describe, expect, it } from "vitest";
import { PAD_DEFAULTS } from "./pad-defaults";
import { controlsOf, isPadSettings, meant, PAD_USES, withControl } from "./pad-settings";

describe("pad settings", () => {
  it("the defaults are allowed, also as they are kept, and what is damaged is not", () => {
    const kept: unknown = JSON.parse(JSON.stringify(PAD_DEFAULTS));
    expect(isPadSettings(kept)).toBe(true);
    for (const wrong of [
      null,
      7,
      {},
      { ...PAD_DEFAULTS, deadMan: [] },
      { ...PAD_DEFAULTS, linear: 0.3 },
      { ...PAD_DEFAULTS, scale: NaN },
      { ...PAD_DEFAULTS, deeds: { a: "fly" } },
      { ...PAD_DEFAULTS, axes: [{ control: "a", axis: "w", gain: 1, curve: { dead: 0, power: 1 } }] },
    ])
      expect(isPadSettings(wrong)).toBe(false);
  });

  it("says which control has which use", () => {
    expect(controlsOf(PAD_DEFAULTS, "x-plus")).toEqual(["left stick y"]);
    expect(controlsOf(PAD_DEFAULTS, "x-minus")).toEqual(["left stick y"]);
    expect(controlsOf(PAD_DEFAULTS, "z-minus")).toEqual(["dpad down"]);
    expect(controlsOf(PAD_DEFAULTS, "store")).toEqual(["right bumper"]);
    expect(controlsOf(PAD_DEFAULTS, "dead-man")).toEqual(["left trigger", "right trigger"]);
    expect(controlsOf(PAD_DEFAULTS, "rx-minus")).toEqual([]);
  });

  it("every use takes every control, which then has no other, and the dead-man switch stays", () => {
    for (const use of PAD_USES)
      for (const control of ["right trigger", "left trigger", "a", "right bumper", "left stick y"]) {
        const set = withControl(PAD_DEFAULTS, use, control);
        expect(isPadSettings(set)).toBe(true);
        expect(controlsOf(set, use)).toContain(control);
        const others = PAD_USES.filter((one) => controlsOf(set, one).includes(control));
        const both = /^r?[xyz]-(plus|minus)$/.test(use) && control === "left stick y";
        expect(others.length).toBe(both ? 2 : 1);
      }
    const alone = withControl(PAD_DEFAULTS, "dead-man", "a");
    expect(withControl(alone, "rz-plus", "a").deadMan).toEqual(["a"]);
  });

  it("means the control that is most out of rest", () => {
    expect(meant({ "left stick x": -0.3, a: 0 })).toBeNull();
    expect(meant({ "left stick x": -0.9, "left stick y": 0.7 })).toBe("left stick x");
    expect(meant({ "axis-9": 1 }, ["axis-9"])).toBe("axis-9");
  });
});
