/** Snapping: what is asked of the server to bring the tool onto a surface or an edge of the cell. World, metres. */

import type { SnapRequest, Pose, SnapBox, SnapTouch } from "../../wire/generated";
import type { Cell } from "../../wire/studio";
import { poseInWorld } from "../shared/cell-geometry";

/** How a tool stands on an edge. */
export type WeldPreset = NonNullable<SnapRequest["weld"]>;

export const WELD_PRESETS: readonly WeldPreset[] = ["square", "fillet", "lap", "vertical"];

/** A place on a body of the cell. */
export interface Touched extends SnapTouch {
  readonly name: string;
}

/** Onto the nearest face or edge of a box of the cell; null where `name` is no box. */
export function snapToBox(
  cell: Cell,
  name: string,
  tool: Pose,
  to: "face" | "edge",
  weld: WeldPreset,
): SnapRequest | null {
  const box = boxOf(cell, name);
  return box === null ? null : { to, tool, box, weld };
}

/** To where a person clicked: on the edge of a box near it, else square to the surface. */
export function snapToTouch(
  cell: Cell,
  { name, at, normal }: Touched,
  tool: Pose,
  weld: WeldPreset,
): SnapRequest {
  return { to: "touch", tool, box: boxOf(cell, name), touch: { at, normal }, weld };
}

function boxOf(cell: Cell, name: string): SnapBox | null {
  const item = cell.objects?.find((one) => one.name === name);
  const pose = poseInWorld(cell, name);
  if (item?.shape.type !== "box" || pose === undefined) return null;
  return { pose, size: item.shape.size };
}
