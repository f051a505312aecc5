import { expect, it } from "vitest";
import type { ProjectEdit } from "../../wire/studio";
import type { Project } from "../shared/project";
import { floorPlace, pushPlatform } from "./platform";

it("stands where it was pushed, at the height that it had", async () => {
  const edits: ProjectEdit[] = [];
  const project = {
    edit: (edit: ProjectEdit) => Promise.resolve(edits.push(edit) > 0),
  } as unknown as Project;
  const item = {
    name: "cart",
    model: "robomap",
    pose: { xyz: [0, 0, 0.2], wxyz: [1, 0, 0, 0] },
  } as const;
  await pushPlatform(project, item, [1, -2, 2.5]);
  const [edit] = edits;
  const command = edit?.edit === "cell" ? edit.command : null;
  const pose = command?.do === "move" ? command.pose : null;
  expect(pose?.xyz).toEqual([1, -2, 0.2]);
  const [x, y, heading] = pose ? floorPlace(pose) : [];
  expect([x, y]).toEqual([1, -2]);
  expect(heading).toBeCloseTo(2.5, 12);
});
