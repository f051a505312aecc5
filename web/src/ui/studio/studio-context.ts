/** What every panel of the studio can reach, beside the page's own context. */

import { getContext, onDestroy, setContext } from "svelte";
import type { CellStage } from "../../scene/cell-stage";
import { browserClock } from "../../state/glide";
import type { Project } from "../../state/project";
import { Store } from "../../state/store";
import { StudioView } from "../../state/studio-view";
import { Timeline } from "../../state/timeline";

const KEY = Symbol("studio");

interface Studio {
  readonly project: Project;
  readonly timeline: Timeline;
  readonly view: StudioView;
  readonly stage: Store<CellStage | null>;
}

/** Open a studio round a project; what belongs to it goes when the studio does. */
export function provideProject(project: Project): void {
  const timeline = new Timeline(project, browserClock);
  setContext<Studio>(KEY, {
    project,
    timeline,
    view: new StudioView(),
    stage: new Store<CellStage | null>(null),
  });
  onDestroy(() => timeline.dispose());
}

/** The project that this studio shows; it stays the same as long as the studio is there. */
export function useProject(): Project {
  return getContext<Studio>(KEY).project;
}

/** The open program as it would run, and the time that is looked at. */
export function useTimeline(): Timeline {
  return getContext<Studio>(KEY).timeline;
}

/** How the person looks at the cell. */
export function useStudioView(): StudioView {
  return getContext<Studio>(KEY).view;
}

/** The view of the cell; null until its canvas is there. */
export function useCellStage(): Store<CellStage | null> {
  return getContext<Studio>(KEY).stage;
}
