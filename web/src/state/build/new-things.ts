/** New things for a cell, with defaults that make sense, and copies of old ones. Pure; metres and radians. */

import type { Pose } from "../../wire/generated";
import type {
  Cell,
  CellItem,
  CellObject,
  CellPoint,
  CellSpace,
  CellTool,
  Command,
  Shape,
  SignalValue,
  ToolAction,
} from "../../wire/studio";
import { findThing, namesOf } from "./tree";
import { framesOf, frameOf, IDENTITY, poseInFrame, poseInWorld, WORLD } from "../shared/cell-geometry";
import type { Section } from "../shared/patches";
import type { Vector } from "../shared/rotations";
import { freeName } from "../program/steps-new";
import { t } from "../texts";

export type BasicShape = "box" | "cylinder" | "sphere";

/** Something that a command can add. */
export interface Draft {
  readonly section: Section;
  readonly item: CellItem;
}

const OBSTACLE = "#b9bec6";
const PART = "#d64545";

const SHAPES: Readonly<Record<BasicShape, { readonly obstacle: Shape; readonly part: Shape }>> = {
  box: {
    obstacle: { type: "box", size: [0.4, 0.3, 0.2] },
    part: { type: "box", size: [0.05, 0.05, 0.05] },
  },
  cylinder: {
    obstacle: { type: "cylinder", radius: 0.1, length: 0.3 },
    part: { type: "cylinder", radius: 0.025, length: 0.05 },
  },
  sphere: { obstacle: { type: "sphere", radius: 0.1 }, part: { type: "sphere", radius: 0.025 } },
};

/** How far the middle of a shape is above the ground it stands on; a mesh stands on its own origin. */
export function halfHeight(shape: Shape): number {
  switch (shape.type) {
    case "box":
      return shape.size[2] / 2;
    case "cylinder":
      return shape.length / 2;
    case "sphere":
      return shape.radius;
    case "mesh":
      return 0;
  }
}

const at = (xyz: Vector): Pose => ({ xyz, wxyz: IDENTITY.wxyz });

export function newRobot(cell: Cell, model: string, place: Vector): Draft {
  const name = freeName(model, namesOf(cell));
  return { section: "robots", item: { name, model, pose: at(place) } };
}

export function newObject(
  cell: Cell,
  wanted: string,
  shape: Shape,
  graspable: boolean,
  place: Vector,
): Draft & { readonly item: CellObject } {
  const [x, y, z] = place;
  const item: CellObject = {
    name: freeName(wanted, namesOf(cell)),
    shape,
    pose: at([x, y, z + halfHeight(shape)]),
    color: graspable ? PART : OBSTACLE,
    ...(graspable ? { graspable } : {}),
  };
  return { section: "objects", item };
}

export function basicShape(kind: BasicShape, graspable: boolean): Shape {
  return SHAPES[kind][graspable ? "part" : "obstacle"];
}

export function newFrame(cell: Cell, wanted: string, place: Vector): Draft {
  return { section: "frames", item: { name: freeName(wanted, namesOf(cell)), pose: at(place) } };
}

/** A point with the tool straight down, which is what most want first. */
export function newPoint(cell: Cell, wanted: string, [x, y, z]: Vector): Draft {
  const item: CellPoint = {
    name: freeName(wanted, namesOf(cell)),
    pose: { xyz: [x, y, z + 0.15], wxyz: [0, 1, 0, 0] },
  };
  return { section: "points", item };
}

export function newSignal(cell: Cell, wanted: string, kind: "in" | "out"): Draft {
  return { section: "signals", item: { name: freeName(wanted, namesOf(cell)), kind } };
}

/** A space around the place, large enough for a small robot to work in; standing on the ground there. */
export function newSpace(
  cell: Cell,
  wanted: string,
  kind: CellSpace["kind"],
  [x, y, z]: Vector,
): Draft & { readonly item: CellSpace } {
  const size: CellSpace["size"] = kind === "allowed" ? [1, 1, 1] : [0.3, 0.3, 0.3];
  const item: CellSpace = {
    name: freeName(wanted, namesOf(cell)),
    kind,
    size,
    pose: at([x, y, z + size[2] / 2]),
  };
  return { section: "spaces", item };
}

/** A tool with a body along the flange's z; its working point is at the body's end. */
export function newTool(
  cell: Cell,
  wanted: string,
  kind: "box" | "cylinder",
  length = 0.1,
): Draft & { readonly item: CellTool } {
  const shape: Shape =
    kind === "box"
      ? { type: "box", size: [0.05, 0.05, length] }
      : { type: "cylinder", radius: 0.015, length };
  const item: CellTool = {
    name: freeName(wanted, namesOf(cell)),
    tcp: at([0, 0, length]),
    parts: [{ shape, pose: at([0, 0, length / 2]) }],
    mass_kg: 0.3,
    com_m: [0, 0, length / 2],
  };
  return { section: "tools", item };
}

/** A tool with the body that the catalogue gives a robot. */
export function newCatalogueTool(
  cell: Cell,
  wanted: string,
  body: string,
): Draft & { readonly item: CellTool } {
  const item: CellTool = {
    name: freeName(wanted, namesOf(cell)),
    tcp: at([0, 0, 0.1]),
    catalogue: body,
  };
  return { section: "tools", item };
}

export const addCommand = ({ section, item }: Draft): Command => ({ do: "add", section, item });

/** Beside the original, so that a copy is seen: 50 mm along x of its frame, or of the world. */
const BESIDE: Vector = [0.05, 0.05, 0];

/** Commands that copy these things; references among the copies go to the copies. */
export function copyCommands(
  cell: Cell,
  drafts: readonly Draft[],
  beside: boolean,
): { readonly commands: readonly Command[]; readonly names: readonly string[] } {
  const taken = [...namesOf(cell)];
  const renamed = new Map<string, string>();
  for (const { item } of drafts) {
    const name = freeName(item.name, taken);
    taken.push(name);
    renamed.set(item.name, name);
  }
  const known = new Set(taken);
  const order: readonly Section[] = ["signals", "tools", "robots", "frames", "objects", "points", "spaces"];
  const sorted = order.flatMap((section) => drafts.filter((draft) => draft.section === section));
  const commands = sorted.map(({ section, item }) =>
    addCommand({ section, item: copyOf(item, renamed, known, beside) }),
  );
  return { commands, names: drafts.map(({ item }) => renamed.get(item.name) ?? item.name) };
}

/** How a copied tool is worked: by the copies of its signals; null where one of them is missing. */
function actionOf(
  action: ToolAction | null | undefined,
  turned: (to: string) => string | undefined,
): ToolAction | null {
  if (action === null || action === undefined) return null;
  const follow = (values: readonly SignalValue[]): readonly SignalValue[] =>
    values.map((one) => ({ ...one, signal: turned(one.signal) ?? "" }));
  const outputs = follow(action.outputs ?? []);
  const inputs = follow(action.inputs ?? []);
  return [...outputs, ...inputs].some(({ signal }) => signal === "") ? null : { ...action, outputs, inputs };
}

function copyOf(
  item: CellItem,
  renamed: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  beside: boolean,
): CellItem {
  const name = renamed.get(item.name) ?? item.name;
  /** What a reference becomes: the copy, the thing of that name, or nothing. */
  const turned = (to: string): string | undefined => renamed.get(to) ?? (known.has(to) ? to : undefined);
  const follow = (field: string | undefined): string => turned(field ?? WORLD) ?? WORLD;
  const copy: Record<string, unknown> = { ...item, name };
  if ("frame" in item) copy["frame"] = follow(item.frame);
  if ("parent" in item) copy["parent"] = follow(item.parent);
  if ("port" in item) {
    // A port has one signal: the copy is not wired yet.
    delete copy["robot"];
    delete copy["port"];
  } else if ("robot" in item) {
    const robot = turned(item.robot);
    // Joints and arm belong to the robot: where it is not, they go too.
    if (robot === undefined) {
      delete copy["robot"];
      delete copy["arm"];
      delete copy["q"];
    } else {
      copy["robot"] = robot;
    }
  }
  if ("tools" in item)
    copy["tools"] = Object.fromEntries(
      Object.entries(item.tools).flatMap(([arm, tool]): [string, string | null][] => {
        if (tool === null) return [[arm, null]];
        const to = turned(tool);
        return to === undefined ? [] : [[arm, to]];
      }),
    );
  if ("tcp" in item) {
    copy["open"] = actionOf(item.open, turned);
    copy["close"] = actionOf(item.close, turned);
  }
  if ("robots" in item) copy["robots"] = item.robots.flatMap((robot) => turned(robot) ?? []);
  const inside =
    ("frame" in item && renamed.has(item.frame ?? "")) ||
    ("parent" in item && renamed.has(item.parent ?? ""));
  if (beside && !inside && "pose" in item) {
    const pose = item.pose ?? IDENTITY;
    copy["pose"] = { ...pose, xyz: pose.xyz.map((value, i) => value + (BESIDE[i] ?? 0)) };
  }
  return copy as unknown as CellItem;
}

/** Commands that give a thing another frame and leave it where it is in the world; null where that cannot be. */
export function reparent(cell: Cell, name: string, frame: string): Command | null {
  const found = findThing(cell, name);
  const world = poseInWorld(cell, name);
  if (found === null || world === undefined || frameOf(cell, name) === frame) return null;
  const pose = poseInFrame(cell, frame, world);
  if (pose === undefined) return null;
  const field = found.section === "frames" ? "parent" : "frame";
  return {
    do: "batch",
    commands: [
      { do: "set", name, field, value: frame },
      { do: "move", name, pose },
    ],
    title: t("build.did.put", { name, frame }),
  };
}

/** Frames that a thing can stand in: not itself, and nothing that stands in it. */
export function framesFor(cell: Cell, name: string): readonly string[] {
  const inside = new Set([name]);
  for (let grown = true; grown;) {
    grown = false;
    for (const frame of cell.frames ?? [])
      if (!inside.has(frame.name) && inside.has(frame.parent ?? WORLD))
        grown = Boolean(inside.add(frame.name));
  }
  const isFrame = (cell.frames ?? []).some((frame) => frame.name === name);
  return [...framesOf(cell).keys()].filter((frame) => !isFrame || !inside.has(frame));
}
