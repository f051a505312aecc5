import { expect, test } from "vitest";
import type { Cell } from "../wire/studio";
import { nearestEdge, nearestFace, snapToEdge, snapToFace, torch, WELD_PRESETS } from "./building-weld";
import { turn } from "./cell-geometry";

const cell: Cell = {
  name: "c",
  objects: [
    {
      name: "box",
      shape: { type: "box", size: [0.4, 0.2, 0.1] },
      pose: { xyz: [1, 0, 0.05], wxyz: [1, 0, 0, 0] },
    },
    { name: "ball", shape: { type: "sphere", radius: 0.1 } },
  ],
};
const down = { xyz: [1.05, 0.02, 0.3], wxyz: [0, 1, 0, 0] } as const;

test("a tool leans as the server's weld paths have it", () => {
  // weld_edge((0,0,0), (1,0,0), (0,0,1)): z = -(cos 45 out + sin 45 up) with out = along × up = -y.
  const q = torch([1, 0, 0], [0, 0, 1], [0, -1, 0], Math.PI / 4, 0);
  const z = turn(q, [0, 0, 1]);
  expect(z[0]).toBeCloseTo(0);
  expect(z[1]).toBeCloseTo(Math.SQRT1_2);
  expect(z[2]).toBeCloseTo(-Math.SQRT1_2);
  expect(turn(q, [1, 0, 0])[0]).toBeCloseTo(1);
});

test("leaning back points the tool along the weld", () => {
  const q = torch([1, 0, 0], [0, 0, 1], [0, -1, 0], Math.PI / 2, 0.2);
  expect(turn(q, [0, 0, 1])[0]).toBeCloseTo(Math.sin(0.2));
  expect(turn(q, [0, 0, 1])[2]).toBeCloseTo(-Math.cos(0.2));
});

test("the nearest face is found, and the tool stands square on it", () => {
  expect(nearestFace(cell, "box", down.xyz)?.normal).toEqual([0, 0, 1]);
  const snapped = snapToFace(cell, "box", down, 0.01);
  expect(snapped?.xyz[0]).toBeCloseTo(1.05);
  expect(snapped?.xyz[2]).toBeCloseTo(0.11);
  expect(turn(snapped?.wxyz ?? [1, 0, 0, 0], [0, 0, 1])[2]).toBeCloseTo(-1);
  expect(turn(snapped?.wxyz ?? [1, 0, 0, 0], [1, 0, 0])[0]).toBeCloseTo(1);
});

test("the nearest edge is found, and the tool stands over it at the preset's angle", () => {
  const near = { ...down, xyz: [1.1, 0.15, 0.12] } as const;
  const edge = nearestEdge(cell, "box", near.xyz);
  expect(edge?.point[1]).toBeCloseTo(0.1);
  expect(edge?.up).toEqual([0, 0, 1]);
  const fillet = WELD_PRESETS[1];
  if (fillet === undefined) throw new Error("no preset");
  const snapped = snapToEdge(cell, "box", near, { ...fillet, travel: 0 });
  const z = turn(snapped?.wxyz ?? [1, 0, 0, 0], [0, 0, 1]);
  // Towards the box and down, half and half.
  expect(z[1]).toBeCloseTo(-Math.SQRT1_2);
  expect(z[2]).toBeCloseTo(-Math.SQRT1_2);
});

test("what is no box has no face", () => {
  expect(nearestFace(cell, "ball", [0, 0, 0])).toBeNull();
  expect(
    snapToEdge(cell, "nothing", down, WELD_PRESETS[0] ?? { id: "square", angle: 1, travel: 0 }),
  ).toBeNull();
});
