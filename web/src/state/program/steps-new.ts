/** New steps: what each kind of action starts with, where a person inserts one. Pure. */

import type { Action, Cell, CellPoint, GoTo, PickPart, PlacePart, Program } from "../../wire/studio";
import { type ActionKind, idOf, type Spot, walkSteps } from "./steps";

/** In the order in which they are offered. */
export const ACTION_KINDS: readonly ActionKind[] = [
  "go to",
  "pick",
  "place",
  "move axis",
  "tool",
  "wait",
  "set output",
  "wait input",
  "repeat",
  "if",
  "while",
  "group",
  "call",
  "set",
  "speed",
  "comment",
];

/** Why there can be no step of a kind; `null`: there can. */
export type Lacking = "point" | "part" | "output" | "input" | "variable" | "program" | "joints";

export interface Surroundings {
  readonly cell: Cell;
  readonly program: Program;
  readonly programs: Readonly<Record<string, Program>>;
  /** Names that are selected in the cell. */
  readonly selection: readonly string[];
  /** Joints of the program's arm as they are shown; empty: not known. */
  readonly q: readonly number[];
  readonly words: { readonly group: string; readonly comment: string };
}

export type Draft = { readonly action: Action } | { readonly lacks: Lacking };

/** The moves before a place, the nearest last. */
function movesBefore(program: Program, at: Spot): readonly GoTo[] {
  const found: GoTo[] = [];
  for (const [action, spot] of walkSteps(program.steps ?? [])) {
    if (spot.parent === at.parent && spot.slot === at.slot && spot.index >= at.index) break;
    if (action.do === "go to") found.push(action);
  }
  return found;
}

/** Points that the program's arm can be sent to. */
export function pointsFor(cell: Cell, program: Program): readonly CellPoint[] {
  return (cell.points ?? []).filter(({ robot = "" }) => robot === "" || robot === program.robot);
}

/** The selected point, or else the one after the point of the move before. */
function pointFor({ cell, program, selection }: Surroundings, at: Spot): string | null {
  const points = pointsFor(cell, program);
  const selected = (cell.points ?? []).findLast(({ name }) => selection.includes(name));
  if (selected !== undefined) return selected.name;
  const last = movesBefore(program, at).findLast(({ to }) => typeof to === "string")?.to;
  const after = points.findIndex(({ name }) => name === last);
  return (points[after + 1] ?? points[0])?.name ?? null;
}

/** A step of a kind to be put at a place, with values that make sense there; or what it lacks. */
export function draftStep(kind: ActionKind, around: Surroundings, at: Spot): Draft {
  const { cell, program, programs, q, words } = around;
  const signal = (way: "in" | "out"): string | undefined =>
    (cell.signals ?? []).find((one) => one.kind === way)?.name;
  switch (kind) {
    case "go to": {
      const to = pointFor(around, at);
      if (to === null) return { lacks: "point" };
      const speed = movesBefore(program, at).at(-1)?.speed;
      return { action: { do: kind, to, ...(speed === undefined ? {} : { speed }) } };
    }
    case "pick":
    case "place":
      return draftHandling(kind, around, at);
    case "move axis":
      return q.length === 0 ? { lacks: "joints" } : { action: { do: kind, q } };
    case "tool":
      // Without a state the server gives the opposite of the one before.
      return { action: { do: kind } as Action };
    case "wait":
      return { action: { do: kind, seconds: 0.5 } };
    case "set output": {
      const name = signal("out");
      return name === undefined ? { lacks: "output" } : { action: { do: kind, signal: name } };
    }
    case "wait input": {
      const name = signal("in");
      return name === undefined ? { lacks: "input" } : { action: { do: kind, signal: name } };
    }
    case "speed":
      return { action: { do: kind, percent: 50 } };
    case "set": {
      const name = Object.keys(program.variables ?? {})[0];
      return name === undefined
        ? { lacks: "variable" }
        : { action: { do: kind, name, value: `${name} + 1` } };
    }
    case "comment":
      return { action: { do: kind, text: words.comment } };
    case "call": {
      const other = Object.keys(programs).find((name) => name !== program.name);
      return other === undefined ? { lacks: "program" } : { action: { do: kind, program: other } };
    }
    case "group":
      return { action: { do: kind, title: words.group } };
    case "repeat":
      return { action: { do: kind, times: 2 } };
    case "while":
    case "if": {
      const input = signal("in");
      const variable = Object.keys(program.variables ?? {})[0];
      const condition =
        input !== undefined ? quoted(input) : variable === undefined ? "true" : `${variable} < 3`;
      return { action: { do: kind, condition } };
    }
  }
}

/** Names of the parts that tools can take. */
export function partNames(cell: Cell): readonly string[] {
  return (cell.objects ?? []).filter(({ graspable }) => graspable === true).map(({ name }) => name);
}

/** Picks and places before a place, the nearest last. */
function handledBefore(program: Program, at: Spot): readonly (PickPart | PlacePart)[] {
  const found: (PickPart | PlacePart)[] = [];
  for (const [action, spot] of walkSteps(program.steps ?? [])) {
    if (spot.parent === at.parent && spot.slot === at.slot && spot.index >= at.index) break;
    if (action.do === "pick" || action.do === "place") found.push(action);
  }
  return found;
}

/** A pick of the selected part, or else of the next one; a place of the part that was picked, at the selected point. */
function draftHandling(kind: "pick" | "place", { cell, program, selection }: Surroundings, at: Spot): Draft {
  const parts = partNames(cell);
  const before = handledBefore(program, at);
  const selected = parts.findLast((name) => selection.includes(name));
  if (kind === "pick") {
    const taken = before.map(({ part }) => part);
    const part = selected ?? parts.find((name) => !taken.includes(name)) ?? parts[0];
    return part === undefined ? { lacks: "part" } : { action: { do: kind, part } };
  }
  const part = before.findLast((one) => one.do === "pick")?.part ?? selected ?? parts[0];
  if (part === undefined) return { lacks: "part" };
  const point = pointsFor(cell, program).findLast(({ name }) => selection.includes(name));
  return { action: { do: kind, part, ...(point === undefined ? {} : { at: point.name }) } };
}

/** A name as conditions have it: in quotes where it is no plain word. */
export function quoted(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !["and", "or", "not", "true", "false"].includes(name)
    ? name
    : `'${name}'`;
}

/** A name that is not taken: "pick", "pick 2", "pick 3". */
export function freeName(wanted: string, taken: readonly string[], gap = " "): string {
  if (!taken.includes(wanted)) return wanted;
  const stem = wanted.replace(/[ _-]\d+$/, "");
  for (let n = 2; ; n++) if (!taken.includes(`${stem}${gap}${n}`)) return `${stem}${gap}${n}`;
}

/** A title as the name of a program, which is also a file's. */
export function programName(title: string, taken: readonly string[]): string {
  const plain = title
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^\w-]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .toLowerCase()
    .slice(0, 56);
  return freeName(plain === "" ? "program" : plain, taken, "_");
}

/** How many steps of all programs go to a point. */
export function usesOf(point: string, programs: Readonly<Record<string, Program>>): readonly string[] {
  const found: string[] = [];
  for (const [name, program] of Object.entries(programs))
    for (const [action] of walkSteps(program.steps ?? []))
      if (
        (action.do === "go to" && (action.to === point || action.via === point)) ||
        ((action.do === "pick" || action.do === "place") && action.at === point)
      )
        found.push(`${name}/${idOf(action)}`);
  return found;
}
