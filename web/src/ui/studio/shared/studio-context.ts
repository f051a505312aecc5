/** What every panel of the studio can reach, beside the page's own context. */

import { getContext, onDestroy, setContext } from "svelte";
import type { CellStage } from "../../../scene/cell-stage";
import { browserClock } from "../../../state/shared/glide";
import { KeptViews } from "../../../state/shared/kept-views";
import { Measuring } from "../../../state/shared/measurement";
import type { Project } from "../../../state/shared/project";
import { onChange, Store } from "../../../state/shared/store";
import { StudioView } from "../../../state/shared/studio-view";
import { Teaching } from "../../../state/teach/teacher";
import { Timeline } from "../../../state/program/timeline";
import { fetchRobot, findSnap } from "../../../wire/rest";
import { useContext } from "../../context";
import { HandsOn } from "../hands/hands-on";
import { browserMemory } from "./browser-memory";

const KEY = Symbol("studio");

interface Studio {
  readonly project: Project;
  readonly robot: string;
  readonly timeline: Timeline;
  readonly teaching: Teaching;
  readonly view: StudioView;
  readonly measuring: Measuring;
  readonly stage: Store<CellStage | null>;
  readonly keptViews: KeptViews;
  readonly handsOn: HandsOn;
}

/**
 * Open a studio round a project; what belongs to it goes when the studio does. `robot`: of the catalogue, where the
 * project is only there to look at it; else "".
 */
export function provideProject(project: Project, robot: string): void {
  const { line } = useContext();
  const timeline = new Timeline(project, browserClock);
  const teaching = new Teaching(project, { line: line.live, fetchRobot, findSnap, clock: browserClock });
  const stage = new Store<CellStage | null>(null);
  const view = new StudioView();
  const memory = browserMemory();
  const handsOn = new HandsOn({
    ...{ project, teaching, view, stage, memory },
    page: { window, document },
    // A page that may not have pads has none.
    pads: () => (typeof navigator.getGamepads === "function" ? navigator.getGamepads() : []),
    clock: browserClock,
  });
  setContext<Studio>(KEY, {
    project,
    robot,
    timeline,
    teaching,
    view,
    measuring: new Measuring(),
    stage,
    keptViews: new KeptViews(memory, project.id),
    handsOn,
  });
  line.start();
  const unheard = onChange(line.complaint, (message) => {
    if (message !== null) project.complain(message);
  });
  onDestroy(() => {
    unheard();
    line.live.forget();
    handsOn.dispose();
    teaching.dispose();
    timeline.dispose();
  });
}

/** The project that this studio shows; it stays the same as long as the studio is there. */
export function useProject(): Project {
  return getContext<Studio>(KEY).project;
}

/** The robot of the catalogue that is shown in its own project, which nobody has kept; "": none. */
export function useRobotName(): string {
  return getContext<Studio>(KEY).robot;
}

/** The open program as it would run, and the time that is shown. */
export function useTimeline(): Timeline {
  return getContext<Studio>(KEY).timeline;
}

/** The arm that is being taught, and what can be done with it. */
export function useTeaching(): Teaching {
  return getContext<Studio>(KEY).teaching;
}

/** How the person looks at the cell. */
export function useStudioView(): StudioView {
  return getContext<Studio>(KEY).view;
}

export function useMeasuring(): Measuring {
  return getContext<Studio>(KEY).measuring;
}

/** Views that the person has kept under a name. */
export function useKeptViews(): KeptViews {
  return getContext<Studio>(KEY).keptViews;
}

/** The view of the cell; null until its canvas is there. */
export function useCellStage(): Store<CellStage | null> {
  return getContext<Studio>(KEY).stage;
}

/** The gamepad, and what it drives. */
export function useHandsOn(): HandsOn {
  return getContext<Studio>(KEY).handsOn;
}
