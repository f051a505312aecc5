import { describe, expect, test } from "vitest";
import type { Cell, CellTool, Command, ProjectEdit } from "../../wire/studio";
import { Building } from "./builder";
import { readThings, writeThings } from "./clipboard";
import { copyCommands, framesFor, newObject, newRobot, reparent } from "./new-things";
import { groundAt, placeFor, tableUnder } from "./new-place";
import { dependentsOf, treeRows } from "./tree";
import { poseInWorld } from "../shared/cell-geometry";
import type { Project } from "../shared/project";
import { Store } from "../shared/store";

const cell: Cell = {
  name: "c",
  robots: [{ name: "ur3e", model: "ur3e", tools: { arm: "cup" } }],
  tools: [{ name: "cup", tcp: { xyz: [0, 0, 0.1], wxyz: [1, 0, 0, 0] } }],
  frames: [
    { name: "bench", pose: { xyz: [1, 0, 0.5], wxyz: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] } },
    { name: "tray", parent: "bench" },
  ],
  objects: [
    {
      name: "table",
      shape: { type: "box", size: [0.8, 0.6, 0.4] },
      pose: { xyz: [0.5, 0, 0.2], wxyz: [1, 0, 0, 0] },
    },
    { name: "cube", shape: { type: "box", size: [0.05, 0.05, 0.05] }, frame: "bench", graspable: true },
  ],
  points: [{ name: "pick", pose: { xyz: [0, 0, 0.1], wxyz: [1, 0, 0, 0] }, frame: "tray", robot: "ur3e" }],
};

class FakeProject {
  readonly id = "p";
  readonly link = new Store<string>("open");
  readonly cell = new Store<Cell>(cell);
  readonly programs = new Store({});
  readonly selection = new Store<readonly string[]>([]);
  readonly complaint = new Store<string | null>(null);
  readonly edits: ProjectEdit[] = [];
  refuse = "";

  edit(edit: ProjectEdit): Promise<boolean> {
    this.edits.push(edit);
    if (this.refuse !== "") this.complaint.set(this.refuse);
    return Promise.resolve(this.refuse === "");
  }

  attempt(edit: ProjectEdit): Promise<string | null> {
    this.edits.push(edit);
    return Promise.resolve(this.refuse === "" ? null : this.refuse);
  }

  complain(message: string | null): void {
    this.complaint.set(message);
  }
}

function open(): { project: FakeProject; building: Building; memory: Map<string, string> } {
  const project = new FakeProject();
  const memory = new Map<string, string>();
  const building = new Building(project as unknown as Project, {
    getItem: (key) => memory.get(key) ?? null,
    setItem: (key, value) => void memory.set(key, value),
  });
  return { project, building, memory };
}

describe("tree", () => {
  const keys = (search = "", folded: readonly string[] = []): readonly string[] =>
    treeRows(cell, { sort: { name: "sort", robot: "ur3e" } }, search, (group) => folded.includes(group)).map(
      ({ key }) => key,
    );

  test("shows everything in groups, a tool below its robot", () => {
    expect(keys().slice(0, 5)).toEqual(["group:robots", "ur3e", "ur3e:cup", "group:parts", "cube"]);
    expect(keys()).toContain("program:sort");
  });

  test("a folded group hides its things, a search shows them all the same", () => {
    expect(keys("", ["group:robots"])).not.toContain("ur3e");
    expect(keys("ur3", ["group:robots"])).toEqual(["group:robots", "ur3e"]);
  });

  test("things that were grouped are listed together, whatever they are, and nowhere else", () => {
    const [table, cube] = cell.objects ?? [];
    const [pick] = cell.points ?? [];
    const grouped = {
      ...cell,
      objects: [{ ...table, group: "cart" }, cube],
      points: [{ ...pick, group: "cart" }],
    } as Cell;
    const rows = treeRows(grouped, {}, "", () => false);
    expect(rows.slice(5, 8).map(({ key }) => key)).toEqual(["folder:cart", "table", "pick"]);
    expect(rows[5]).toMatchObject({ kind: "folder", name: "cart", members: ["table", "pick"] });
    expect(rows.filter(({ key }) => key === "table")).toHaveLength(1);
    expect(rows.some(({ key }) => key === "group:points")).toBe(false);
    expect(treeRows(grouped, {}, "", (key) => key === "folder:cart")[6]?.key).toBe("group:frames");
    expect(treeRows(grouped, {}, "car", () => true).map(({ key }) => key)).toEqual([
      "folder:cart",
      "table",
      "pick",
    ]);
  });

  test("knows what depends on a thing", () => {
    expect(dependentsOf(cell, "bench")).toEqual(["tray", "cube"]);
    expect(dependentsOf(cell, "cup")).toEqual(["ur3e"]);
    const space = { name: "zone", robots: ["ur3e"], shape: { type: "box", size: [1, 1, 1] } };
    expect(dependentsOf({ ...cell, spaces: [space] } as unknown as Cell, "ur3e")).toContain("zone");
  });
});

describe("new things", () => {
  test("have a free name and stand on what is there", () => {
    expect(newRobot(cell, "ur3e", [0, 0, 0]).item.name).toBe("ur3e 2");
    const part = newObject(cell, "cube", { type: "box", size: [0.1, 0.1, 0.1] }, true, [0, 0, 0.4]);
    expect(part.item.pose?.xyz[2]).toBeCloseTo(0.45);
    expect(part.item.name).toBe("cube 2");
  });

  test("the ground is the table's top over the table, and the floor beside it", () => {
    expect(groundAt(cell, 0.5, 0.1)).toBeCloseTo(0.4);
    expect(groundAt(cell, 3, 3)).toBe(0);
  });

  test("a table goes under the robots that stand on the floor there", () => {
    const floor: Cell = {
      name: "c",
      robots: [
        { name: "a", model: "ur3e" },
        { name: "far", model: "ur3e", pose: { xyz: [3, 0, 0], wxyz: [1, 0, 0, 0] } },
      ],
    };
    const found = tableUnder(floor, [0.8, 0.6, 0.4]);
    expect(found?.place).toEqual([0.25, 0, 0]);
    expect(found?.lifts).toEqual([{ do: "move", name: "a", pose: { xyz: [0, 0, 0.4], wxyz: [1, 0, 0, 0] } }]);
    expect(tableUnder({ name: "c" }, [0.8, 0.6, 0.4])).toBeNull();
    expect(tableUnder(cell, [0.8, 0.6, 0.4])).not.toBeNull();
  });

  test("nothing new is put into a robot's foot", () => {
    const [x, y] = placeFor(cell, [0.02, 0.01, 0.3]);
    expect(Math.hypot(x, y)).toBeGreaterThan(0.3);
  });
});

describe("frames", () => {
  test("another frame leaves a thing where it is", () => {
    const command = reparent(cell, "cube", "world");
    if (command?.do !== "batch") throw new Error("no batch");
    const move = command.commands[1] as Extract<Command, { do: "move" }>;
    expect(move.pose.xyz).toEqual(poseInWorld(cell, "cube")?.xyz);
  });

  test("a frame cannot stand in itself or in what stands in it", () => {
    expect(framesFor(cell, "bench")).toEqual(["world", "ur3e"]);
    expect(framesFor(cell, "cube")).toContain("tray");
  });
});

describe("clipboard", () => {
  test("what is copied comes back, and nothing else does", () => {
    expect(readThings(writeThings(cell, ["cube", "nobody"]))?.map(({ item }) => item.name)).toEqual(["cube"]);
    for (const text of ["", "{}", "[1]", '{"kind":"openpendant.things","things":[{"section":"x"}]}'])
      expect(readThings(text)).toBeNull();
  });

  test("copies refer to each other, and to nothing that is not there", () => {
    const drafts = readThings(writeThings(cell, ["tray", "pick"])) ?? [];
    const { commands, names } = copyCommands(cell, drafts, true);
    expect(names).toEqual(["tray 2", "pick 2"]);
    const items = commands.map((command) => (command as Extract<Command, { do: "add" }>).item);
    expect(items[1]).toMatchObject({ name: "pick 2", frame: "tray 2", robot: "ur3e" });
    const elsewhere = copyCommands({ name: "empty" }, drafts.slice(1), false).commands[0];
    expect(elsewhere).toMatchObject({ item: { name: "pick", frame: "world" } });
    expect((elsewhere as unknown as { item: object }).item).not.toHaveProperty("robot");
  });
});

describe("edits", () => {
  test("what is needed stays, and the reason names who needs it", async () => {
    const { project, building } = open();
    expect(await building.remove(["bench"])).toBe(false);
    expect(building.kept.value?.reason).toContain("tray, cube");
    expect(project.edits).toEqual([]);
    expect(await building.remove(["bench"], true)).toBe(true);
    expect(project.edits[0]).toMatchObject({
      command: { do: "remove", name: "bench", with_dependents: true },
    });
    expect(building.kept.value).toBeNull();
  });

  test("a robot goes with its points, its programs and the steps that name what goes", async () => {
    const { project, building } = open();
    project.programs.set({
      sort: { name: "sort", title: "Sorting", robot: "ur3e" },
      other: { name: "other", robot: "yumi", steps: [{ do: "go to", id: "a", to: "pick" }] },
    });
    expect(await building.remove(["ur3e"])).toBe(false);
    expect(building.kept.value?.reason).toContain("pick, program Sorting, step 1 of other");
    expect(await building.remove(["ur3e"], true)).toBe(true);
    expect(project.edits[0]).toMatchObject({
      edit: "together",
      edits: [
        { edit: "program", program: "other", command: { do: "remove", id: "a" } },
        { edit: "remove program", name: "sort" },
        { edit: "cell", command: { do: "remove", name: "ur3e" } },
      ],
    });
  });

  test("things that need each other go together without a word", async () => {
    const { project, building } = open();
    expect(await building.remove(["bench", "tray", "cube", "pick"])).toBe(true);
    expect(project.edits).toHaveLength(1);
  });

  test("a locked thing stays as it is, also after a reload", async () => {
    const { project, building, memory } = open();
    building.toggleLock(["table"]);
    expect(await building.set(["table"], "color", "#000000")).toBe(false);
    expect(project.complaint.value).toContain("table");
    expect(memory.get("openpendant.locked.p")).toBe('["table"]');
  });

  test("several things change in one edit", async () => {
    const { project, building } = open();
    await building.set(["table", "cube"], "visible", false);
    expect(project.edits).toHaveLength(1);
    expect(project.edits[0]).toMatchObject({ command: { do: "batch" } });
  });

  test("a refusal is shown beside its field, not over the view", async () => {
    const { project, building } = open();
    project.refuse = "too large";
    expect(await building.set(["table"], "margin_m", 9)).toBe(false);
    expect(building.fault.value).toMatchObject({ field: "margin_m", message: "too large" });
    expect(project.complaint.value).toBeNull();
  });

  test("a refusal goes with the thing it is about, and when the link is back", async () => {
    const { project, building } = open();
    project.refuse = "that name is taken";
    await building.rename("cube", "table");
    expect(building.fault.value).not.toBeNull();
    building.renaming.set("cube");
    project.cell.set({ ...cell, objects: cell.objects?.slice(0, 1) ?? [] });
    expect([building.fault.value, building.renaming.value]).toEqual([null, null]);
    await building.rename("cube", "block");
    expect(building.fault.value).toBeNull();
    expect(project.complaint.value).toContain("cube");
    project.refuse = "no link";
    await building.set(["table"], "margin_m", 9);
    project.link.set("waiting");
    expect(building.fault.value).not.toBeNull();
    project.link.set("open");
    expect(building.fault.value).toBeNull();
  });

  test("things are grouped in one edit, and the group is named at once", async () => {
    const { project, building } = open();
    expect(await building.group(["table", "pick", "nobody"])).toBe(true);
    expect(project.edits).toHaveLength(1);
    expect(project.edits[0]).toMatchObject({
      command: {
        do: "batch",
        commands: [
          { do: "set", name: "table", field: "group", value: "group" },
          { do: "set", name: "pick", field: "group", value: "group" },
        ],
      },
    });
    expect(building.renamingGroup.value).toBe("group");
    project.cell.set({ ...cell, tools: [{ ...(cell.tools?.[0] as CellTool), group: "group" }] });
    expect(await building.renameGroup("group", " cart ")).toBe(true);
    expect(project.edits[1]).toMatchObject({
      command: { commands: [{ do: "set", name: "cup", field: "group", value: "cart" }] },
    });
    expect(building.renamingGroup.value).toBeNull();
  });

  test("a program is renamed by its title, which the tree shows", async () => {
    const { project, building } = open();
    const programs = { program_1: { name: "program_1", title: "Sorting", robot: "ur3e" } };
    project.programs.set(programs);
    const row = treeRows(cell, programs, "sorti", () => false).at(-1);
    expect(row).toMatchObject({ key: "program:program_1", title: "Sorting" });
    building.renaming.set("program:program_1");
    project.cell.set({ ...cell });
    expect(building.renaming.value).toBe("program:program_1");
    expect(await building.renameProgram("program_1", " Packing ")).toBe(true);
    expect(project.edits).toEqual([
      { edit: "program", program: "program_1", command: { do: "set", field: "title", value: "Packing" } },
    ]);
    expect(building.renaming.value).toBeNull();
  });

  test("selection and lock follow a new name", async () => {
    const { project, building } = open();
    project.selection.set(["table"]);
    building.toggleLock(["table"]);
    await building.rename("table", " desk ");
    expect(project.selection.value).toEqual(["desk"]);
    expect(building.isLocked("desk")).toBe(true);
  });
});
