/** Where a new thing goes: in front of what is looked at, on what is there, beside the robots. Pure; world, metres. */

import type { Cell, Command } from "../../wire/studio";
import { halfHeight } from "./new-things";
import { framesOf, invert, poseInWorld, turn } from "../shared/cell-geometry";
import type { Vector } from "../shared/rotations";

const STEP_M = 0.05;
/** Nearer than this a new thing would stand in the robot's foot. */
const FOOT_M = 0.25;
const AHEAD_M = 0.4;
/** Higher than this is a ceiling or a lamp, not a table. */
const HIGHEST_M = 1.5;
const LEVEL = 0.999;

/** The height of what is below a place: the top of a box or cylinder that lies level there, or the floor. */
export function groundAt(cell: Cell, x: number, y: number): number {
  const frames = framesOf(cell);
  let ground = 0;
  for (const item of cell.objects ?? []) {
    if (item.graspable === true || item.visible === false || item.shape.type === "mesh") continue;
    const pose = poseInWorld(cell, item.name, frames);
    if (pose === undefined || turn(pose.wxyz, [0, 0, 1])[2] < LEVEL) continue;
    const { shape } = item;
    const [px, py, pz] = pose.xyz;
    const [u, v] = turn(invert(pose).wxyz, [x - px, y - py, 0]);
    const inside =
      shape.type === "box"
        ? Math.abs(u) <= shape.size[0] / 2 && Math.abs(v) <= shape.size[1] / 2
        : shape.type === "cylinder" && Math.hypot(u, v) <= shape.radius;
    const top = pz + halfHeight(shape);
    if (inside && top <= HIGHEST_M) ground = Math.max(ground, top);
  }
  return ground;
}

/** How far the middle of a table is in front of the robot that stands on it. */
const TABLE_AHEAD_M = 0.25;

/**
 * Where a table goes that is to carry a robot from the floor, and what lifts every robot that stands there; null where
 * none stands on the floor.
 */
export function tableUnder(
  cell: Cell,
  [length, width, height]: Vector,
): { readonly place: Vector; readonly lifts: readonly Command[] } | null {
  const standing = (cell.robots ?? []).flatMap(({ name, pose }) => {
    const { xyz, wxyz } = pose ?? { xyz: [0, 0, 0] as const, wxyz: [1, 0, 0, 0] as const };
    return Math.abs(xyz[2]) < 1e-6 && groundAt(cell, xyz[0], xyz[1]) === 0 ? [{ name, xyz, wxyz }] : [];
  });
  const [first] = standing;
  if (first === undefined) return null;
  const [x, y] = [first.xyz[0] + TABLE_AHEAD_M, first.xyz[1]];
  const lifts = standing
    .filter(({ xyz: [a, b] }) => Math.abs(a - x) <= length / 2 && Math.abs(b - y) <= width / 2)
    .map(({ name, xyz: [a, b], wxyz }): Command => ({
      do: "move",
      name,
      pose: { xyz: [a, b, height], wxyz },
    }));
  return { place: [x, y, 0], lifts };
}

/** A free place near what is looked at, on the ground there. */
export function placeFor(cell: Cell, looked: Vector): Vector {
  const round = (value: number): number => Math.round(value / STEP_M) * STEP_M;
  let [x, y] = [round(looked[0]), round(looked[1])];
  const feet = [
    ...(cell.robots ?? []).map((robot) => robot.pose?.xyz ?? [0, 0, 0]),
    // Also beside parts that stand there already, so that two new ones are not one in the other.
    ...(cell.objects ?? []).flatMap((item) =>
      item.graspable === true ? [poseInWorld(cell, item.name)?.xyz ?? [NaN, NaN, NaN]] : [],
    ),
  ];
  const robots = (cell.robots ?? []).length;
  for (let tries = 0; tries < 20; tries++) {
    const near = feet.findIndex(
      ([a = 0, b = 0], i) => Math.hypot(a - x, b - y) < (i < robots ? FOOT_M : STEP_M),
    );
    if (near < 0) break;
    x += near < robots ? AHEAD_M : 0;
    y += near < robots ? 0 : 2 * STEP_M;
  }
  x = round(x);
  y = round(y);
  return [x, y, groundAt(cell, x, y)];
}
