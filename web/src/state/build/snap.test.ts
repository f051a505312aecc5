import { describe, expect, it } from "vitest";
import { alignTo, axesOf, type Bounds, restOn } from "./snap";

const box = (name: string, x: number, y: number, z: number, size = 0.1): Bounds => ({
  name,
  min: [x - size / 2, y - size / 2, z - size / 2],
  max: [x + size / 2, y + size / 2, z + size / 2],
});

describe("alignTo", () => {
  it("brings the middle in line where it is nearest", () => {
    const { by, with: names } = alignTo(box("a", 0.003, 0.5, 0), [box("b", 0, 0, 0, 0.3)], [0, 1], 0.01);
    expect(by[0]).toBeCloseTo(-0.003);
    expect(by[1]).toBe(0);
    expect(names).toEqual(["b"]);
  });

  it("brings things side by side", () => {
    const { by } = alignTo(box("a", 0.106, 0, 0), [box("b", 0, 0.3, 0)], [0], 0.01);
    expect(by[0]).toBeCloseTo(-0.006);
  });

  it("leaves what is far away alone", () => {
    expect(alignTo(box("a", 0.3, 0, 0), [box("b", 0, 0, 0)], [0], 0.01).with).toEqual([]);
  });
});

describe("restOn", () => {
  it("lies on the highest thing below, not on what is beside or above", () => {
    const others = [
      box("low", 0, 0, 0.05),
      box("high", 0.02, 0, 0.2),
      box("beside", 0.4, 0, 0.3),
      box("above", 0, 0, 2),
    ];
    const { by, with: names } = restOn(box("a", 0, 0, 1), others);
    expect(names).toEqual(["high"]);
    expect(1 - 0.05 + by[2]).toBeCloseTo(0.25);
  });

  it("falls to the floor", () => {
    expect(restOn(box("a", 0, 0, 1), []).by[2]).toBeCloseTo(-0.95);
  });

  it("comes up out of what it has sunk into", () => {
    expect(restOn(box("a", 0, 0, 0.11), [box("b", 0, 0, 0.05)]).by[2]).toBeCloseTo(0.04);
  });
});

it("knows the axes of a handle's parts", () => {
  expect(axesOf("XY")).toEqual([0, 1]);
  expect(axesOf(null)).toEqual([]);
});
