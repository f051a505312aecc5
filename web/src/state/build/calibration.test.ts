import { expect, test } from "vitest";
import type { FrameTouches, Pose, TcpTouches } from "../../wire/generated";
import type { Cell, ProjectEdit } from "../../wire/studio";
import { Calibrating } from "./calibration";
import type { Project } from "../shared/project";
import { Store } from "../shared/store";

const at = (x: number, y: number, z: number): Pose => ({ xyz: [x, y, z], wxyz: [1, 0, 0, 0] });
const cell: Cell = {
  name: "c",
  tools: [{ name: "cup", tcp: { xyz: [0, 0, 0.1], wxyz: [0, 1, 0, 0] } }],
  frames: [
    { name: "bench", pose: at(1, 0, 0) },
    { name: "tray", parent: "bench" },
  ],
};

function open(refuse = false): { calibrating: Calibrating; edits: ProjectEdit[]; asked: unknown[] } {
  const edits: ProjectEdit[] = [];
  const asked: unknown[] = [];
  const project = {
    cell: new Store(cell),
    edit: (edit: ProjectEdit) => {
      edits.push(edit);
      return Promise.resolve(true);
    },
  } as unknown as Project;
  const findTool = (touches: TcpTouches) => {
    asked.push(touches);
    if (refuse) return Promise.reject(new Error("turn the tool"));
    return Promise.resolve({
      xyz: [0.01, 0, 0.2] as const,
      point: [0, 0, 0] as const,
      residuals_m: [0, 0, 0, 0],
      rms_m: 0,
      uncertainty_m: 0.001,
    });
  };
  const findFrame = (touches: FrameTouches) => {
    asked.push(touches);
    const pose = { xyz: touches.origin, wxyz: [1, 0, 0, 0] as const };
    return Promise.resolve({ pose, x_length_m: 1, y_length_m: 1, uncertainty_rad: 0.001, heights_m: [] });
  };
  const inWords = (error: unknown): string => (error as Error).message;
  return { calibrating: new Calibrating(project, { findTool, findFrame }, inWords), edits, asked };
}

test("four touches tell the working point; which way it looks stays", async () => {
  const { calibrating, edits, asked } = open();
  calibrating.start({ kind: "tool", name: "cup" });
  for (const x of [0, 1, 2]) await calibrating.touch(at(x, 0, 0));
  expect(asked).toEqual([]);
  await calibrating.touch(at(3, 0, 0));
  expect(await calibrating.apply()).toBe(true);
  expect(edits).toEqual([
    {
      edit: "cell",
      command: { do: "move", name: "cup", pose: { xyz: [0.01, 0, 0.2], wxyz: [0, 1, 0, 0] } },
    },
  ]);
  expect(calibrating.task.value).toBeNull();
});

test("a frame is given in its own parent", async () => {
  const { calibrating, edits } = open();
  calibrating.start({ kind: "frame", name: "tray" });
  for (const pose of [at(1.5, 0, 0), at(2, 0, 0), at(1.5, 1, 0)]) await calibrating.touch(pose);
  await calibrating.apply();
  expect(edits[0]).toMatchObject({ command: { name: "tray", pose: { xyz: [0.5, 0, 0] } } });
});

test("a refusal says why, and a forgotten touch takes it back", async () => {
  const { calibrating } = open(true);
  calibrating.start({ kind: "tool", name: "cup" });
  for (const x of [0, 1, 2, 3]) await calibrating.touch(at(x, 0, 0));
  expect(calibrating.outcome.value).toEqual({ state: "refused", message: "turn the tool" });
  expect(await calibrating.apply()).toBe(false);
  await calibrating.forget(0);
  expect(calibrating.outcome.value).toBeNull();
  expect(calibrating.touches.value).toHaveLength(3);
});
