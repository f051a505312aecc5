/** The tree of a cell: what there is, in folders that people made and in groups by kind, as rows. Pure. */

import { titleOf } from "../program/titles";
import type { Cell, CellItem, CellRobot } from "../../wire/studio";
import { itemsOf, type Programs, type Section } from "../shared/patches";

export const TREE_GROUPS = [
  "robots",
  "parts",
  "obstacles",
  "frames",
  "points",
  "tools",
  "signals",
  "spaces",
  "programs",
] as const;
export type TreeGroup = (typeof TREE_GROUPS)[number];

export const SECTIONS: readonly Section[] = [
  "robots",
  "tools",
  "frames",
  "objects",
  "points",
  "signals",
  "spaces",
];

export interface GroupRow {
  readonly kind: "group";
  readonly key: string;
  readonly group: TreeGroup;
  readonly count: number;
  readonly open: boolean;
}

/** A group that somebody made: things of any kind, listed together. */
export interface FolderRow {
  readonly kind: "folder";
  readonly key: string;
  readonly name: string;
  /** Names of the things in it. */
  readonly members: readonly string[];
  readonly open: boolean;
}

export interface ThingRow {
  /** "carried": a tool, below the robot that holds it. */
  readonly kind: "thing" | "carried" | "program";
  readonly key: string;
  readonly group: TreeGroup;
  readonly name: string;
  /** What people call it, where that is not its name. */
  readonly title?: string;
  readonly item: CellItem | null;
  /** The key of the row that it is listed under. */
  readonly under: string;
}

export type TreeRow = FolderRow | GroupRow | ThingRow;

export interface Found {
  readonly section: Section;
  readonly index: number;
  readonly item: CellItem;
}

/** Find a thing by its name. */
export function findThing(cell: Cell, name: string): Found | null {
  for (const section of SECTIONS) {
    const items = itemsOf(cell, section);
    const index = items.findIndex((item) => item.name === name);
    const item = items[index];
    if (item !== undefined) return { section, index, item };
  }
  return null;
}

/** Every name that is taken in a cell. */
export function namesOf(cell: Cell): readonly string[] {
  return ["world", ...SECTIONS.flatMap((section) => itemsOf(cell, section).map(({ name }) => name))];
}

function carriedBy(robot: CellRobot): readonly string[] {
  const tools = Object.values(robot.tools ?? {}).filter((tool) => tool !== null);
  return [...new Set(tools)];
}

/** Names of the groups that people made, in the order in which they come up. */
export function foldersOf(cell: Cell): readonly string[] {
  const all = SECTIONS.flatMap((section) => itemsOf(cell, section).map(({ group = "" }) => group));
  return [...new Set(all.filter((name) => name !== ""))].sort((a, b) => a.localeCompare(b));
}

/** The things of a group that somebody made. */
export function membersOf(cell: Cell, folder: string): readonly string[] {
  return SECTIONS.flatMap((section) =>
    itemsOf(cell, section)
      .filter(({ group = "" }) => group === folder)
      .map(({ name }) => name),
  );
}

const KINDS = TREE_GROUPS.filter((group) => group !== "programs");

/** The things of one kind, as rows; a tool also below the robot that holds it. */
function rowsOf(cell: Cell, group: (typeof KINDS)[number]): readonly ThingRow[] {
  const things: readonly CellItem[] =
    group === "parts" || group === "obstacles"
      ? (cell.objects ?? []).filter((item) => (item.graspable ?? false) === (group === "parts"))
      : itemsOf(cell, group);
  return things.flatMap((item): ThingRow[] => {
    const folder = item.group ?? "";
    const under = folder === "" ? `group:${group}` : `folder:${folder}`;
    const row: ThingRow = { kind: "thing", key: item.name, group, name: item.name, item, under };
    if (group !== "robots") return [row];
    const tools = carriedBy(item as CellRobot).map((name): ThingRow => {
      const tool = (cell.tools ?? []).find((one) => one.name === name) ?? null;
      return { kind: "carried", key: `${item.name}:${name}`, group, name, item: tool, under };
    });
    return [row, ...tools];
  });
}

/** The rows that can be seen: what is folded hides its own; a search shows only what it finds. */
export function treeRows(
  cell: Cell,
  programs: Programs,
  search: string,
  folded: (key: string) => boolean,
): readonly TreeRow[] {
  const wanted = search.trim().toLowerCase();
  const fits = ({ name, title = "", under }: ThingRow): boolean =>
    name.toLowerCase().includes(wanted) ||
    title.toLowerCase().includes(wanted) ||
    (under.startsWith("folder:") && under.slice(7).toLowerCase().includes(wanted));
  const all: ThingRow[] = [
    ...KINDS.flatMap((group) => rowsOf(cell, group)),
    ...Object.values(programs).map((program): ThingRow => ({
      kind: "program",
      key: `program:${program.name}`,
      group: "programs",
      name: program.name,
      title: titleOf(program),
      item: null,
      under: "group:programs",
    })),
  ].filter(fits);
  const rows: TreeRow[] = [];
  const isOpen = (key: string): boolean => wanted !== "" || !folded(key);
  const list = (heading: FolderRow | GroupRow, inside: readonly ThingRow[]): void => {
    if (inside.length === 0) return;
    rows.push(heading);
    if (heading.open) rows.push(...inside);
  };
  const listFolders = (): void => {
    for (const name of foldersOf(cell)) {
      const key = `folder:${name}`;
      const inside = all.filter(({ under }) => under === key);
      list({ kind: "folder", key, name, members: membersOf(cell, name), open: isOpen(key) }, inside);
    }
  };
  for (const group of TREE_GROUPS) {
    const key = `group:${group}`;
    const inside = all.filter(({ under }) => under === key);
    const count = inside.filter(({ kind }) => kind !== "carried").length;
    list({ kind: "group", key, group, count, open: isOpen(key) }, inside);
    // Robots and parts are what a cell is about; then comes what people have put together themselves.
    if (group === "parts") listFolders();
  }
  return rows;
}

/** Names of the things that refer to `name`: they go with it, or keep it. */
export function dependentsOf(cell: Cell, name: string): readonly string[] {
  const found: string[] = [];
  for (const robot of cell.robots ?? []) if (carriedBy(robot).includes(name)) found.push(robot.name);
  for (const frame of cell.frames ?? []) if (frame.parent === name) found.push(frame.name);
  for (const item of cell.objects ?? []) if (item.frame === name) found.push(item.name);
  for (const point of cell.points ?? [])
    if (point.frame === name || point.robot === name) found.push(point.name);
  for (const { name: space, frame, robots = [] } of cell.spaces ?? [])
    // A space without its last robot would hold for all of them.
    if (frame === name || (robots.length === 1 && robots[0] === name)) found.push(space);
  return found;
}
