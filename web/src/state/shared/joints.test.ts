import { describe, expect, it } from "vitest";
import type { JointInfo } from "../../wire/generated";
import { clampTo, nearness, sliderRange, whyOutside } from "./joints";
import { ANGLE_UNITS } from "./units";

const rad = (degrees: number): number => (degrees * Math.PI) / 180;
const elbow: JointInfo = {
  name: "joint_3",
  title: "Axis 3",
  kind: "revolute",
  lower: rad(-110),
  upper: rad(70),
  velocity: 4,
};
const endless: JointInfo = { ...elbow, kind: "continuous", lower: null, upper: null };

describe("joints", () => {
  it("warn within five degrees of a limit and say when they are at it", () => {
    expect(nearness(elbow, rad(64))).toBe("free");
    expect(nearness(elbow, rad(66))).toBe("near");
    expect(nearness(elbow, rad(-106))).toBe("near");
    expect(nearness(elbow, rad(70))).toBe("at");
    expect(nearness(endless, rad(1000))).toBe("free");
  });

  it("refuse a value outside and name what is allowed", () => {
    expect(whyOutside(elbow, rad(70), ANGLE_UNITS.deg)).toBeNull();
    expect(whyOutside(elbow, rad(95), ANGLE_UNITS.deg)).toBe(
      "Axis 3 goes from −110.00° to 70.00°; 95.00° is outside.",
    );
    expect(whyOutside(endless, 100, ANGLE_UNITS.deg)).toBeNull();
  });

  it("forgive the rounding of what is shown", () => {
    expect(whyOutside(elbow, rad(70.004), ANGLE_UNITS.deg)).toBeNull();
    expect(clampTo(elbow, rad(70.004))).toBe(elbow.upper);
  });

  it("show one turn to either side where there is no end", () => {
    expect(sliderRange(endless)).toEqual([-2 * Math.PI, 2 * Math.PI]);
  });
});
