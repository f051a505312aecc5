/** What tree, library and inspector share: the edits of a cell, and what the catalogue knows of its robots. */

import { toRobotWorld } from "../../../scene/up";
import { Building } from "../../../state/build/builder";
import { placeFor } from "../../../state/build/new-place";
import type { Project } from "../../../state/shared/project";
import type { Vector } from "../../../state/shared/rotations";
import { Store } from "../../../state/shared/store";
import type { RobotInfo } from "../../../wire/generated";
import { fetchRobot } from "../../../wire/rest";
import { browserMemory } from "../shared/browser-memory";
import { useCellStage, useProject, useStudioView } from "../shared/studio-context";

const buildings = new WeakMap<Project, Building>();
const known = new Map<string, Store<RobotInfo | null>>();

/** The edits of the open project; the same for every panel. */
export function useBuilding(): Building {
  const project = useProject();
  let building = buildings.get(project);
  if (building === undefined) {
    building = new Building(project, browserMemory());
    const { locked } = useStudioView();
    building.locked.subscribe((names) => locked.set(names));
    buildings.set(project, building);
  }
  return building;
}

/** What the catalogue says of a robot; null until it has come. */
export function robotInfo(model: string): Store<RobotInfo | null> {
  let info = known.get(model);
  if (info === undefined) {
    info = new Store<RobotInfo | null>(null);
    known.set(model, info);
    const store = info;
    fetchRobot(model).then(
      (found) => store.set(found),
      () => known.delete(model),
    );
  }
  return info;
}

/** What is known of a robot of the catalogue by now; it is loaded if it is not known yet. */
export const knownRobot = (model: string): RobotInfo | null => robotInfo(model).value;

/** Ask again for a robot of the catalogue: it has been loaded again. */
export function forgetRobot(model: string): void {
  known.delete(model);
}

/** Where a new thing goes, asked for when it is made. */
export function usePlace(): () => Vector {
  const project = useProject();
  const stage = useCellStage();
  return () => {
    const target = stage.value?.viewport.orbit.target;
    const looked: Vector = target === undefined ? [0, 0, 0] : toRobotWorld(target.clone()).toArray();
    return placeFor(project.cell.value, looked);
  };
}
