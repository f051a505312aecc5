import { describe, expect, it } from "vitest";
import type { Project } from "../state/shared/project";
import { Store } from "../state/shared/store";
import type { Cell } from "../wire/studio";
import { search } from "./fuzzy";
import { thingCommands } from "./thing-commands";

const pose = { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] } as const;
const cell: Cell = {
  name: "c",
  points: [{ name: "above tray", pose }],
  objects: [{ name: "block 1", shape: { type: "box", size: [1, 1, 1] }, graspable: true }],
};

describe("thingCommands", () => {
  const project = {
    cell: new Store(cell),
    programs: new Store({ p1: { name: "p1", title: "Sort pucks", robot: "ur" } }),
    selection: new Store<readonly string[]>([]),
    openProgram: new Store<string | null>(null),
    mode: new Store("build"),
  };
  const find = (wanted: string) =>
    search(
      wanted,
      thingCommands(project as unknown as Project),
      (one) => `${one.title()} ${one.also?.() ?? ""}`,
    )[0];

  it("finds things of the cell by name, and selects them", () => {
    find("tray")?.run();
    expect(project.selection.value).toEqual(["above tray"]);
    expect(find("parts")?.id).toBe("cell.block 1");
  });

  it("opens programs by their title", () => {
    find("sort")?.run();
    expect([project.openProgram.value, project.mode.value]).toEqual(["p1", "program"]);
    expect(thingCommands(null)).toEqual([]);
  });
});
