/** Measuring: the way from one place of the cell to another. Metres, the cell's world. */

import type { Shape } from "../../wire/studio";
import type { Vector } from "./rotations";
import { Store } from "./store";

export interface Spot {
  readonly at: Vector;
  /** What it is on; "" for the floor. */
  readonly on: string;
  /** True where it is a corner or a middle, not just any place. */
  readonly sharp: boolean;
}

export interface Measured {
  readonly distance: number;
  readonly by: Vector;
}

export class Measuring {
  /** Where the next press would be. */
  readonly here = new Store<Spot | null>(null);
  readonly from = new Store<Spot | null>(null);
  /** Null while the second place is still looked for. */
  readonly to = new Store<Spot | null>(null);

  /** Take the place under the pointer: the first, the second, or a new first one. */
  press(): void {
    const spot = this.here.value;
    if (spot === null) return;
    if (this.from.value === null || this.to.value !== null) {
      this.to.set(null);
      this.from.set(spot);
    } else {
      this.to.set(spot);
    }
  }

  /** Forget it; return whether there was anything. */
  clear(): boolean {
    const had = this.from.value !== null;
    this.to.set(null);
    this.from.set(null);
    return had;
  }
}

export function measure(from: Spot, to: Spot): Measured {
  const by: Vector = [to.at[0] - from.at[0], to.at[1] - from.at[1], to.at[2] - from.at[2]];
  return { distance: Math.hypot(...by), by };
}

/** Corners, middles of edges and faces of a shape, in its own axes; none for a mesh. */
export function anchorsOf(shape: Shape): readonly Vector[] {
  switch (shape.type) {
    case "box": {
      const [x, y, z] = shape.size;
      const found: Vector[] = [];
      for (const i of [-1, 0, 1])
        for (const j of [-1, 0, 1])
          for (const k of [-1, 0, 1])
            if (i !== 0 || j !== 0 || k !== 0) found.push([(i * x) / 2, (j * y) / 2, (k * z) / 2]);
      return found;
    }
    case "cylinder": {
      const { radius: r, length } = shape;
      return [-length / 2, length / 2].flatMap((z): Vector[] => [
        [0, 0, z],
        [r, 0, z],
        [-r, 0, z],
        [0, r, z],
        [0, -r, z],
      ]);
    }
    case "sphere": {
      const r = shape.radius;
      return [
        [r, 0, 0],
        [-r, 0, 0],
        [0, r, 0],
        [0, -r, 0],
        [0, 0, r],
        [0, 0, -r],
      ];
    }
    case "mesh":
      return [];
  }
}
