/** What a check offers instead of a failing step, as one edit of the project. Pure. */

import type {
  Alternative,
  Cell,
  CellPoint,
  GoTo,
  InlinePoint,
  Program,
  ProgramCommand,
  ProjectEdit,
} from "../../wire/studio";
import { findStep, idOf, isOn, stepsAt } from "./steps";
import { freeName, usesOf } from "./steps-new";

export interface FixParts {
  readonly cell: Cell;
  readonly programs: Readonly<Record<string, Program>>;
  readonly program: Program;
}

/** How an alternative is applied; `how` says what it changes beside the step. */
export type Fix =
  | {
      readonly edits: readonly ProjectEdit[];
      readonly how: "point" | "new point" | "own point" | "joints before" | "way" | "pick" | "place";
      readonly name: string;
    }
  | { readonly cannot: "gone" | "offset" };

/** Joints this far from each other are another configuration, or another turn of a joint. */
const OTHER_RAD = 0.05;

type Quaternion = readonly [number, number, number, number];

/** Turn further about its own z. */
export function turnedAboutZ([w, x, y, z]: Quaternion, angle: number): Quaternion {
  const c = Math.cos(angle / 2);
  const s = Math.sin(angle / 2);
  return [w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s];
}

export function fixFor(parts: FixParts, id: string, alternative: Alternative): Fix {
  const found = findStep(parts.program, id);
  if (found === null) return { cannot: "gone" };
  const [step, spot] = found;
  const q = alternative.q ?? null;
  switch (alternative.kind) {
    case "branch": {
      if (step.do !== "go to" || q === null) return { cannot: "gone" };
      if ((step.how ?? "joint") === "joint") return withPoint(parts, step, { q });
      // A line keeps its configuration: it is the move before it that has to arrive in another one.
      const before = stepsAt(parts.program, spot.parent, spot.slot).slice(0, spot.index).findLast(isOn);
      if (before?.do === "go to" && (before.how ?? "joint") === "joint")
        return withPoint(parts, before, { q });
      return insertBefore(parts, id, [q], "joints before");
    }
    case "turn": {
      if (step.do !== "go to") return { cannot: "gone" };
      const [x, y] = step.offset?.by ?? [0, 0, 0];
      if (step.offset?.axes === "tool" && (x !== 0 || y !== 0)) return { cannot: "offset" };
      return withPoint(parts, step, { turn: alternative.turn_rad ?? 0, q });
    }
    case "pick":
    case "place":
      return withHandling(parts.program, alternative);
    case "way round": {
      const way = alternative.way ?? [];
      const end = way.at(-1);
      const inserted = insertBefore(parts, id, way.slice(0, -1), "way");
      if ("cannot" in inserted || step.do !== "go to" || end === undefined) return inserted;
      const taught = pointOf(parts.cell, step)?.q ?? null;
      if (taught === null || !isOther(taught, end)) return inserted;
      const arrive = withPoint(parts, step, { q: end });
      return "cannot" in arrive ? arrive : { ...inserted, edits: [...arrive.edits, ...inserted.edits] };
    }
  }
}

/** Put a pick or place in the place of the steps that it stands for. */
function withHandling(program: Program, { kind, action, instead_of = [] }: Alternative): Fix {
  const [first, ...others] = instead_of;
  const there = instead_of.every((id) => findStep(program, id) !== null);
  if (first === undefined || action === undefined || action === null || !there) return { cannot: "gone" };
  const command = (one: ProgramCommand): ProjectEdit => ({
    edit: "program",
    program: program.name,
    command: one,
  });
  const edits = others.map((id) => command({ do: "remove", id }));
  edits.push(command({ do: "replace", id: first, action }));
  return { edits, how: kind === "place" ? "place" : "pick", name: "" };
}

const isOther = (a: readonly number[], b: readonly number[]): boolean =>
  a.some((value, i) => Math.abs(value - (b[i] ?? value)) > OTHER_RAD);

function pointOf(cell: Cell, step: GoTo): CellPoint | InlinePoint | undefined {
  return typeof step.to === "string" ? (cell.points ?? []).find(({ name }) => name === step.to) : step.to;
}

/** Have a step go to its point in another way: the point itself where nothing else goes there, else one of its own. */
function withPoint(
  { cell, programs, program }: FixParts,
  step: GoTo,
  change: { readonly q: readonly number[] | null; readonly turn?: number },
): Fix {
  const point = pointOf(cell, step);
  if (point === undefined) return { cannot: "gone" };
  const pose =
    change.turn === undefined
      ? point.pose
      : { ...point.pose, wxyz: turnedAboutZ(point.pose.wxyz, change.turn) };
  const id = idOf(step);
  const edit = (value: unknown): ProjectEdit => ({
    edit: "program",
    program: program.name,
    command: { do: "edit", id, field: "to", value },
  });
  if (!("name" in point))
    return { edits: [edit({ ...point, pose, q: change.q })], how: "own point", name: "" };
  // Joints count only where the point is of this arm.
  const changed = { ...point, pose, robot: program.robot, arm: program.arm ?? "", q: change.q };
  if (usesOf(point.name, programs).every((use) => use === `${program.name}/${id}`))
    return {
      edits: [{ edit: "cell", command: { do: "replace", name: point.name, item: changed } }],
      how: "point",
      name: point.name,
    };
  const taken = (["robots", "tools", "frames", "objects", "points", "signals", "spaces"] as const).flatMap(
    (section) => (cell[section] ?? []).map(({ name }) => name),
  );
  const name = freeName(point.name, taken);
  const index = (cell.points ?? []).findIndex((one) => one.name === point.name) + 1;
  return {
    edits: [
      { edit: "cell", command: { do: "add", section: "points", item: { ...changed, name }, index } },
      edit(name),
    ],
    how: "new point",
    name,
  };
}

function insertBefore(
  { program }: FixParts,
  id: string,
  way: readonly (readonly number[])[],
  how: "joints before" | "way",
): Fix {
  const found = findStep(program, id);
  if (found === null || way.length === 0) return { cannot: "gone" };
  const [step, spot] = found;
  const speed = step.do === "go to" || step.do === "move axis" ? step.speed : undefined;
  // A stop at each: that is the path that was looked for, without a corner cut.
  const edits = way.map((q, i): ProjectEdit => ({
    edit: "program",
    program: program.name,
    command: {
      do: "insert",
      action: { do: "move axis", q, ...(speed === undefined ? {} : { speed }) },
      at: { ...spot, index: spot.index + i },
    },
  }));
  return { edits, how, name: "" };
}
