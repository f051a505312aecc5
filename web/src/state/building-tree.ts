/** The tree of a cell: what there is, in groups, as rows from top to bottom. Pure. */

import type { Cell, CellItem, CellObject, CellRobot } from "../wire/studio";
import { itemsOf, type Programs, type Section } from "./patching";

export const TREE_GROUPS = [
  "robots",
  "parts",
  "obstacles",
  "frames",
  "points",
  "tools",
  "signals",
  "programs",
] as const;
export type TreeGroup = (typeof TREE_GROUPS)[number];

export const SECTIONS: readonly Section[] = ["robots", "tools", "frames", "objects", "points", "signals"];

export interface GroupRow {
  readonly kind: "group";
  readonly key: string;
  readonly group: TreeGroup;
  readonly count: number;
  readonly open: boolean;
}

export interface ThingRow {
  /** "carried": a tool, below the robot that holds it. */
  readonly kind: "thing" | "carried" | "program";
  readonly key: string;
  readonly group: TreeGroup;
  readonly name: string;
  readonly item: CellItem | null;
}

export type TreeRow = GroupRow | ThingRow;

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

/** The rows that can be seen: groups that are folded hide theirs; a search shows only what it finds. */
export function treeRows(
  cell: Cell,
  programs: Programs,
  search: string,
  folded: (group: TreeGroup) => boolean,
): readonly TreeRow[] {
  const wanted = search.trim().toLowerCase();
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted);
  const objects = (graspable: boolean): readonly CellObject[] =>
    (cell.objects ?? []).filter((item) => (item.graspable ?? false) === graspable);
  const members: Readonly<Record<Exclude<TreeGroup, "programs">, readonly CellItem[]>> = {
    robots: cell.robots ?? [],
    parts: objects(true),
    obstacles: objects(false),
    frames: cell.frames ?? [],
    points: cell.points ?? [],
    tools: cell.tools ?? [],
    signals: cell.signals ?? [],
  };
  const rows: TreeRow[] = [];
  for (const group of TREE_GROUPS) {
    const inside: ThingRow[] =
      group === "programs"
        ? Object.keys(programs).map((name) => ({
            kind: "program",
            key: `program:${name}`,
            group,
            name,
            item: null,
          }))
        : members[group].flatMap((item): ThingRow[] => {
            const row: ThingRow = { kind: "thing", key: item.name, group, name: item.name, item };
            if (group !== "robots") return [row];
            const tools = carriedBy(item as CellRobot).map((name): ThingRow => {
              const tool = (cell.tools ?? []).find((one) => one.name === name) ?? null;
              return { kind: "carried", key: `${item.name}:${name}`, group, name, item: tool };
            });
            return [row, ...tools];
          });
    const shown = wanted === "" ? inside : inside.filter(({ name }) => fits(name));
    if (shown.length === 0) continue;
    const open = wanted !== "" || !folded(group);
    rows.push({
      kind: "group",
      key: `group:${group}`,
      group,
      count: shown.filter(({ kind }) => kind !== "carried").length,
      open,
    });
    if (open) rows.push(...shown);
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
  return found;
}
