/** Snapping: what is asked of the server to bring the tool onto a surface or an edge of the cell. World, metres. */

import type { SnapRequest, Pose, SnapBox, SnapTouch } from "../../wire/generated";
import type { Cell, CellObject } from "../../wire/studio";
import { poseInWorld } from "../shared/cell-geometry";

/** How a tool stands on an edge. */
export type WeldPreset = NonNullable<SnapRequest["weld"]>;

export const WELD_PRESETS: readonly WeldPreset[] = ["square", "fillet", "plain", "lap", "vertical"];

/** What the tool can be brought to by name. */
export function boxesOf(cell: Cell): readonly CellObject[] {
  return (cell.objects ?? []).filter(({ shape }) => shape.type === "box");
}

/** The box that is meant: one that is selected, else the one that was chosen last, else the first; empty: none. */
export function chosenBox(cell: Cell, selection: readonly string[], last: string): string {
  const names = boxesOf(cell).map(({ name }) => name);
  return (
    names.find((name) => selection.includes(name)) ?? names.find((name) => name === last) ?? names[0] ?? ""
  );
}

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

/** Turned to weld along the upper edge of one of the four sides of a box, where it is; null where `name` is no box. */
export function turnToSide(
  cell: Cell,
  name: string,
  tool: Pose,
  side: number,
  weld: WeldPreset,
): SnapRequest | null {
  const box = boxOf(cell, name);
  return box === null ? null : { to: "side", tool, box, side, weld };
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
