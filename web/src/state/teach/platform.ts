/** A mobile platform in a cell: x, y and heading of where it stands. */

import type { Pose } from "../../wire/generated";
import type { CellRobot } from "../../wire/studio";
import { IDENTITY } from "../shared/cell-geometry";
import { fromVector } from "../shared/rotations";
import type { Project } from "../shared/project";

/** Metres and radians. */
export type FloorPlace = readonly [x: number, y: number, heading: number];

export const ORIGIN: FloorPlace = [0, 0, 0];

export function floorPlace({ xyz, wxyz: [w, x, y, z] }: Pose): FloorPlace {
  return [xyz[0], xyz[1], Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))];
}

/** Put a platform somewhere else on the floor: an edit. */
export function pushPlatform(project: Project, item: CellRobot, [x, y, turn]: FloorPlace): Promise<boolean> {
  const [, , z] = (item.pose ?? IDENTITY).xyz;
  const pose: Pose = { xyz: [x, y, z], wxyz: fromVector([0, 0, turn]) };
  return project.edit({ edit: "cell", command: { do: "move", name: item.name, pose } });
}
