import { expect, test } from "vitest";
import type { Cell } from "../../wire/studio";
import { snapToBox, snapToTouch } from "./snap";

const wxyz = [1, 0, 0, 0] as const;
const cell: Cell = {
  name: "c",
  frames: [{ name: "bench", pose: { xyz: [1, 0, 0], wxyz } }],
  objects: [
    {
      name: "box",
      frame: "bench",
      shape: { type: "box", size: [0.2, 0.2, 0.2] },
      pose: { xyz: [0, 0, 0.1], wxyz },
    },
    { name: "ball", shape: { type: "sphere", radius: 0.1 } },
  ],
};
const tool = { xyz: [0.5, 0, 0.5], wxyz: [0, 1, 0, 0] } as const;

test("a box is asked about where it stands in the world", () => {
  expect(snapToBox(cell, "box", tool, "edge", "lap")).toEqual({
    to: "edge",
    tool,
    box: { pose: { xyz: [1, 0, 0.1], wxyz }, size: [0.2, 0.2, 0.2] },
    weld: "lap",
  });
  expect(snapToBox(cell, "ball", tool, "face", "lap")).toBeNull();
  expect(snapToBox(cell, "nothing", tool, "face", "lap")).toBeNull();
});

test("what is no box can be touched all the same", () => {
  const touch = { at: [0.1, 0, 0], normal: [1, 0, 0] } as const;
  expect(snapToTouch(cell, { name: "ball", ...touch }, tool, "square")).toEqual({
    to: "touch",
    tool,
    box: null,
    touch,
    weld: "square",
  });
});
