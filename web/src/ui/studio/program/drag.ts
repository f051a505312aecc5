/** Where steps that are dragged over a list of rows would go. Pure. */

import type { Row, Spot } from "../../../state/program/steps";

export interface Drop {
  readonly key: string;
  readonly side: "before" | "after" | "inside";
  readonly spot: Spot;
}

/** The place for what is dropped on a row, `share` (0 to 1) from its upper edge. */
export function dropOn(row: Row, share: number): Drop {
  const { key, spot } = row;
  if (row.kind !== "step") return { key, side: "inside", spot };
  if (share < 0.5) return { key, side: "before", spot };
  if (row.holds && !row.folded)
    return { key, side: "inside", spot: { parent: row.id, slot: "steps", index: 0 } };
  return { key, side: "after", spot: { ...spot, index: spot.index + 1 } };
}
