/** What programs need of the cell: what goes with a thing that is deleted. */

import type { Action, InlinePoint, Program, ProjectEdit } from "../../wire/studio";
import { idOf, outermost, walkSteps } from "./steps";

export type Programs = Readonly<Record<string, Program>>;

/** What cannot stay without certain things of the cell. */
export interface Needs {
  /** Programs as a whole: their robot is one of the things. Callers come before what they call. */
  readonly programs: readonly string[];
  /** Steps of the other programs, without those inside another one of them. */
  readonly steps: readonly { readonly program: string; readonly ids: readonly string[] }[];
}

/** What programs have that cannot stay where the things with these names go. */
export function needsOf(names: readonly string[], programs: Programs): Needs {
  const gone = new Set(names);
  const whole = inCallOrder(
    Object.entries(programs).flatMap(([name, { robot }]) => (gone.has(robot) ? [name] : [])),
    programs,
  );
  const steps = Object.entries(programs).flatMap(([name, program]) => {
    if (whole.includes(name)) return [];
    const ids = [...walkSteps(program.steps ?? [])].flatMap(([action]) =>
      names.some((one) => isNamedBy(one, action, program)) ||
      (action.do === "call" && whole.includes(action.program))
        ? [idOf(action)]
        : [],
    );
    return ids.length === 0 ? [] : [{ program: name, ids: outermost(program, ids) }];
  });
  return { programs: whole, steps };
}

/** The edits that take out what needs something that goes; to be made before it goes. */
export function removalsOf({ programs, steps }: Needs): readonly ProjectEdit[] {
  return [
    ...steps.flatMap(({ program, ids }) =>
      ids.map((id): ProjectEdit => ({ edit: "program", program, command: { do: "remove", id } })),
    ),
    ...programs.map((name): ProjectEdit => ({ edit: "remove program", name })),
  ];
}

function isNamedBy(name: string, action: Action, program: Program): boolean {
  switch (action.do) {
    case "go to":
      return (
        isTarget(name, action.to) ||
        (action.via !== undefined && action.via !== null && isTarget(name, action.via)) ||
        action.tool === name ||
        (action.offset?.by ?? []).some((value) => isWritten(name, value, program))
      );
    case "pick":
    case "place":
      return (
        action.part === name ||
        (action.at !== undefined && action.at !== null && isTarget(name, action.at)) ||
        (action.offset?.by ?? []).some((value) => isWritten(name, value, program))
      );
    case "set output":
    case "wait input":
      return action.signal === name;
    case "if":
    case "while":
      return isWritten(name, action.condition, program);
    case "set":
      return isWritten(name, action.value, program);
    case "move axis":
    case "tool":
    case "wait":
    case "speed":
    case "call":
    case "comment":
    case "group":
    case "repeat":
      return false;
  }
}

function isTarget(name: string, target: string | InlinePoint): boolean {
  return typeof target === "string" ? target === name : target.frame === name;
}

/** Whether an expression names a thing: in quotes, or as a word that is no variable. */
function isWritten(name: string, value: string | number, program: Program): boolean {
  if (typeof value === "number" || Object.hasOwn(program.variables ?? {}, name)) return false;
  const words = value.match(/'[^']*'|[A-Za-z_]\w*/g) ?? [];
  return words.some((word) => word === name || word === `'${name}'`);
}

function inCallOrder(names: readonly string[], programs: Programs): readonly string[] {
  const calls = (caller: string, called: string): boolean =>
    [...walkSteps(programs[caller]?.steps ?? [])].some(
      ([action]) => action.do === "call" && action.program === called,
    );
  const left = [...names];
  const ordered: string[] = [];
  while (left.length > 0) {
    const free = left.findIndex((name) => left.every((other) => other === name || !calls(other, name)));
    ordered.push(...left.splice(Math.max(0, free), 1));
  }
  return ordered;
}
