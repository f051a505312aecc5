/** Patches: brings a copy of a project forward, as the server's own `apply_patch` does. Pure. */

import type { Cell, CellItem, Patch, Program } from "../../wire/studio";

export type Section = "robots" | "tools" | "frames" | "objects" | "points" | "signals" | "spaces";
export type Programs = Readonly<Record<string, Program>>;

/** Things of one section; JSON leaves empty ones out. */
export function itemsOf(cell: Cell, section: Section): readonly CellItem[] {
  return (cell[section] as readonly CellItem[] | undefined) ?? [];
}

export function applyPatch(cell: Cell, patch: Patch): Cell {
  let next: Cell = { ...cell, ...patch.own };
  for (const { section, items, order } of patch.sections ?? []) {
    const before = itemsOf(cell, section);
    const known = new Map(before.map((item) => [item.name, item]));
    for (const item of items as readonly CellItem[]) known.set(item.name, item);
    const names = order ?? before.map((item) => item.name);
    const after = names.map((name) => known.get(name)).filter((item) => item !== undefined);
    next = { ...next, [section]: after };
  }
  return next;
}

export function applyProgramPatch(programs: Programs, patch: Patch): Programs {
  if (patch.programs === undefined || patch.programs.length === 0) return programs;
  const next = new Map(Object.entries(programs));
  for (const { name, program } of patch.programs) {
    if (program === null) next.delete(name);
    else next.set(name, program);
  }
  return Object.fromEntries(next);
}
