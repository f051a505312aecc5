/** Touching: where the tool goes when a person clicks on a surface. World, metres. Pure. */

import type { Pose } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { nearestEdge, snapToEdge, standOn, type WeldPreset } from "./building-weld";
import type { Vector } from "./rotations";

/** A place on a body, and which way its surface looks there. */
export interface Touched {
  readonly name: string;
  readonly at: Vector;
  readonly normal: Vector;
}

/** Nearer than this to an edge of a box, the edge is meant. */
export const EDGE_M = 0.012;

/** The pose with the tool's point there: on an edge at the angles of the preset, else square to the surface. */
export function touchPose(cell: Cell, tool: Pose, { name, at, normal }: Touched, preset: WeldPreset): Pose {
  const edge = nearestEdge(cell, name, at);
  const onEdge = edge !== null && edge.distance < EDGE_M;
  const pose = onEdge ? snapToEdge(cell, name, { ...tool, xyz: at }, preset) : null;
  return pose ?? standOn(at, normal, tool);
}
