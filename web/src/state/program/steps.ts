/** The tree of steps of a program as rows, and where steps stand in it. Pure. */

import type { Action, Place, Program } from "../../wire/studio";

export type ActionKind = Action["do"];
export type Slot = "steps" | "otherwise";

/** A place with nothing left open. */
export interface Spot {
  readonly parent: string;
  readonly slot: Slot;
  readonly index: number;
}

export interface StepRow {
  readonly kind: "step";
  readonly key: string;
  readonly id: string;
  readonly action: Action;
  /** As the check counts: "3", "3.1", "4.e1". */
  readonly number: string;
  readonly depth: number;
  readonly spot: Spot;
  readonly siblings: number;
  /** Whether it can hold other steps. */
  readonly holds: boolean;
  readonly folded: boolean;
  /** False where it or one around it is switched off. */
  readonly active: boolean;
}

/** "Otherwise", or a list that has no steps yet. */
export interface MarkRow {
  readonly kind: "otherwise" | "hole";
  readonly key: string;
  readonly depth: number;
  /** Where a step that is dropped here goes. */
  readonly spot: Spot;
  readonly owner: string;
}

export type Row = StepRow | MarkRow;

export const idOf = (action: Action): string => action.id ?? "";
export const isOn = (action: Action): boolean => action.enabled ?? true;

export function slotsOf(action: Action): readonly Slot[] {
  if (action.do === "if") return ["steps", "otherwise"];
  return action.do === "group" || action.do === "repeat" || action.do === "while" ? ["steps"] : [];
}

export function listIn(action: Action, slot: Slot): readonly Action[] {
  if (action.do === "if") return action[slot] ?? [];
  if (action.do === "group" || action.do === "repeat" || action.do === "while") return action.steps ?? [];
  return [];
}

/** Every step, outer before inner, in its order, with where it stands. */
export function* walkSteps(
  steps: readonly Action[],
  parent = "",
  slot: Slot = "steps",
): Generator<readonly [Action, Spot]> {
  for (const [index, action] of steps.entries()) {
    yield [action, { parent, slot, index }];
    for (const inner of slotsOf(action)) yield* walkSteps(listIn(action, inner), idOf(action), inner);
  }
}

export function findStep(program: Program, id: string): readonly [Action, Spot] | null {
  for (const found of walkSteps(program.steps ?? [])) if (idOf(found[0]) === id) return found;
  return null;
}

/** The steps in one list of the program. */
export function stepsAt(program: Program, parent: string, slot: Slot): readonly Action[] {
  if (parent === "") return program.steps ?? [];
  const found = findStep(program, parent);
  return found === null ? [] : listIn(found[0], slot);
}

/** Ids of all steps of a program, in its order. */
export function stepIds(program: Program | undefined): readonly string[] {
  return [...walkSteps(program?.steps ?? [])].map(([one]) => idOf(one));
}

/** Ids of a step and of everything inside it. */
export function idsIn(action: Action): readonly string[] {
  return [...walkSteps([action])].map(([one]) => idOf(one));
}

/** Of some steps those that are not inside another of them, in the program's order. */
export function outermost(program: Program, ids: readonly string[]): readonly string[] {
  const wanted = new Set(ids);
  const inside = new Set<string>();
  const found: string[] = [];
  for (const [action] of walkSteps(program.steps ?? [])) {
    const id = idOf(action);
    if (inside.has(id) || !wanted.has(id)) continue;
    found.push(id);
    for (const one of idsIn(action)) inside.add(one);
  }
  return found;
}

/** By id: the numbers of the steps, as 3 or 3.1. */
export function numbersOf(program: Program): ReadonlyMap<string, string> {
  return new Map(
    rowsOf(program, new Set()).flatMap((row) => (row.kind === "step" ? [[row.id, row.number] as const] : [])),
  );
}

/** The program line by line; steps inside folded ones are left out. */
export function rowsOf(program: Program, folded: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = [];
  const lay = (
    steps: readonly Action[],
    parent: string,
    slot: Slot,
    prefix: string,
    depth: number,
    active: boolean,
  ): void => {
    for (const [index, action] of steps.entries()) {
      const id = idOf(action);
      const slots = slotsOf(action);
      const number = `${prefix}${index + 1}`;
      const on = active && isOn(action);
      rows.push({
        kind: "step",
        key: id,
        id,
        action,
        number,
        depth,
        spot: { parent, slot, index },
        siblings: steps.length,
        holds: slots.length > 0,
        folded: folded.has(id),
        active: on,
      });
      if (folded.has(id)) continue;
      for (const inner of slots) {
        const list = listIn(action, inner);
        const spot: Spot = { parent: id, slot: inner, index: 0 };
        if (inner === "otherwise")
          rows.push({ kind: "otherwise", key: `${id}/otherwise`, depth, spot, owner: id });
        if (list.length === 0 && inner === "steps")
          rows.push({ kind: "hole", key: `${id}/${inner}`, depth: depth + 1, spot, owner: id });
        lay(list, id, inner, `${number}.${inner === "otherwise" ? "e" : ""}`, depth + 1, on);
      }
    }
  };
  lay(program.steps ?? [], "", "steps", "", 0, true);
  return rows;
}

/** Take a step out of a tree. */
export function without(steps: readonly Action[], id: string): readonly Action[] {
  return steps.filter((one) => idOf(one) !== id).map((one) => withLists(one, (list) => without(list, id)));
}

/** Put a step into a tree. */
export function withStep(
  steps: readonly Action[],
  action: Action,
  at: Spot,
  parent = "",
  slot: Slot = "steps",
): readonly Action[] {
  const inner = steps.map((one) =>
    withLists(one, (list, name) => withStep(list, action, at, idOf(one), name)),
  );
  if (parent !== at.parent || slot !== at.slot) return inner;
  return [...inner.slice(0, at.index), action, ...inner.slice(at.index)];
}

function withLists(
  action: Action,
  change: (list: readonly Action[], slot: Slot) => readonly Action[],
): Action {
  if (action.do === "if")
    return {
      ...action,
      steps: change(action.steps ?? [], "steps"),
      otherwise: change(action.otherwise ?? [], "otherwise"),
    };
  if (action.do === "group" || action.do === "repeat" || action.do === "while")
    return { ...action, steps: change(action.steps ?? [], "steps") };
  return action;
}

/** A copy of a step, and of all inside it, that gets ids of its own where it is put. */
export function bare(action: Action): Action {
  const copy: Record<string, unknown> = { ...withLists(action, (list) => list.map(bare)) };
  delete copy["id"];
  return copy as unknown as Action;
}

/**
 * How to bring steps to another place one after the other: a move says its place as if the step were not there.
 * Steps that would go into themselves stay.
 */
export function movesTo(
  program: Program,
  ids: readonly string[],
  to: Spot,
): readonly { readonly id: string; readonly to: Place }[] {
  const moving = outermost(program, ids);
  const target = stepsAt(program, to.parent, to.slot);
  // Counted from the next step that stays: that one is where it is, whatever is taken out before it.
  const anchor = target.slice(to.index).find((one) => !moving.includes(idOf(one)));
  const moves: { id: string; to: Place }[] = [];
  let steps = program.steps ?? [];
  for (const id of moving) {
    const found = findStep({ ...program, steps }, id);
    if (found === null || idsIn(found[0]).includes(to.parent)) continue;
    const left = without(steps, id);
    const list = stepsAt({ ...program, steps: left }, to.parent, to.slot);
    const index = anchor === undefined ? list.length : list.findIndex((one) => idOf(one) === idOf(anchor));
    const spot: Spot = { parent: to.parent, slot: to.slot, index };
    const [action, from] = found;
    steps = withStep(left, action, spot);
    if (from.parent !== spot.parent || from.slot !== spot.slot || from.index !== spot.index)
      moves.push({ id, to: spot });
  }
  return moves;
}

/** One line up or down from where steps stand: past a neighbour, into one that is open, or out of the one around. */
export function spotBeside(
  program: Program,
  ids: readonly string[],
  way: -1 | 1,
  folded: ReadonlySet<string>,
): Spot | null {
  const moving = outermost(program, ids);
  const edge = way < 0 ? moving[0] : moving.at(-1);
  const found = edge === undefined ? null : findStep(program, edge);
  if (found === null) return null;
  const { parent, slot, index } = found[1];
  const list = stepsAt(program, parent, slot);
  const next = list[index + way];
  if (next !== undefined) {
    const slots = slotsOf(next);
    if (slots.length === 0 || folded.has(idOf(next)))
      return { parent, slot, index: way < 0 ? index - 1 : index + 2 };
    const inner = way < 0 ? (slots.at(-1) ?? "steps") : "steps";
    return { parent: idOf(next), slot: inner, index: way < 0 ? listIn(next, inner).length : 0 };
  }
  const owner = parent === "" ? null : findStep(program, parent);
  if (owner === null) return null;
  if (owner[0].do === "if" && slot === "steps" && way > 0) return { parent, slot: "otherwise", index: 0 };
  if (owner[0].do === "if" && slot === "otherwise" && way < 0)
    return { parent, slot: "steps", index: listIn(owner[0], "steps").length };
  return { ...owner[1], index: owner[1].index + (way < 0 ? 0 : 1) };
}
