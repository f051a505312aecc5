/** Where things of a cell are. Poses compose as on the server: T_world_thing = T_world_frame · T_frame_thing. Pure. */

import type { Pose } from "../../wire/generated";
import type { Cell, CellObject, CellPoint, CellSpace } from "../../wire/studio";
import { multiply, type Quaternion, type Vector } from "./rotations";

export const WORLD = "world";
export const IDENTITY: Pose = { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] };

/** Return v turned by q. */
export function turn([w, x, y, z]: Quaternion, [a, b, c]: Vector): Vector {
  const tx = 2 * (y * c - z * b);
  const ty = 2 * (z * a - x * c);
  const tz = 2 * (x * b - y * a);
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

/** Return T_a_c of T_a_b and T_b_c. */
export function compose(a: Pose, b: Pose): Pose {
  const [x, y, z] = turn(a.wxyz, b.xyz);
  return {
    xyz: [a.xyz[0] + x, a.xyz[1] + y, a.xyz[2] + z],
    wxyz: normalised(multiply(a.wxyz, b.wxyz)),
  };
}

/** Return T_b_a of T_a_b. */
export function invert({ xyz, wxyz }: Pose): Pose {
  const [w, x, y, z] = wxyz;
  const back: Quaternion = [w, -x, -y, -z];
  const [a, b, c] = turn(back, xyz);
  return { xyz: [-a, -b, -c], wxyz: back };
}

/** World, robots (root links) and frames in the world, by name. A frame that stands in nothing known is left out. */
export function framesOf(cell: Cell): ReadonlyMap<string, Pose> {
  const known = new Map<string, Pose>([[WORLD, IDENTITY]]);
  for (const robot of cell.robots ?? []) known.set(robot.name, robot.pose ?? IDENTITY);
  let waiting = [...(cell.frames ?? [])];
  while (waiting.length > 0) {
    const left = waiting.filter((frame) => {
      const parent = known.get(frame.parent ?? WORLD);
      if (parent === undefined) return true;
      known.set(frame.name, compose(parent, frame.pose ?? IDENTITY));
      return false;
    });
    if (left.length === waiting.length) break;
    waiting = left;
  }
  return known;
}

/** What stands in a separate frame choice. */
function placedIn(cell: Cell): readonly (CellObject | CellPoint | CellSpace)[] {
  return [...(cell.objects ?? []), ...(cell.points ?? []), ...(cell.spaces ?? [])];
}

/** What a thing's own pose is given in; undefined for things that stand nowhere (tools, signals). */
export function frameOf(cell: Cell, name: string): string | undefined {
  if (cell.robots?.some((robot) => robot.name === name)) return WORLD;
  const frame = cell.frames?.find((one) => one.name === name);
  if (frame !== undefined) return frame.parent ?? WORLD;
  const thing = placedIn(cell).find((one) => one.name === name);
  return thing === undefined ? undefined : (thing.frame ?? WORLD);
}

/** Where a robot, frame, object or point is in the world; undefined where nothing with a pose has that name. */
export function poseInWorld(cell: Cell, name: string, frames = framesOf(cell)): Pose | undefined {
  const known = frames.get(name);
  if (known !== undefined) return known;
  const thing = placedIn(cell).find((one) => one.name === name);
  const frame = thing === undefined ? undefined : frames.get(thing.frame ?? WORLD);
  return thing === undefined || frame === undefined ? undefined : compose(frame, thing.pose ?? IDENTITY);
}

/** The pose a thing must be given in its own frame to be at `world`. */
export function poseInFrame(
  cell: Cell,
  frame: string,
  world: Pose,
  frames = framesOf(cell),
): Pose | undefined {
  const base = frames.get(frame);
  return base === undefined ? undefined : compose(invert(base), world);
}

function normalised([w, x, y, z]: Quaternion): Quaternion {
  const length = Math.hypot(w, x, y, z);
  return [w / length, x / length, y / length, z / length];
}
