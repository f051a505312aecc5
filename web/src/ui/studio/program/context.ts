/** The editor of the open program's steps: one for each studio, made when it is asked for first. */

import type { Project } from "../../../state/shared/project";
import { Breakpoints } from "../../../state/program/breakpoints";
import { StepEditor } from "../../../state/program/steps-editor";
import { browserMemory } from "../shared/browser-memory";
import { useProject, useTimeline } from "../shared/studio-context";

// They go with the project, which knows nothing of them.
const editors = new WeakMap<Project, StepEditor>();
const pauses = new WeakMap<Project, Breakpoints>();

/** Where this person's runs pause. */
export function useBreakpoints(): Breakpoints {
  const project = useProject();
  const known = pauses.get(project);
  if (known !== undefined) return known;
  const made = new Breakpoints(project, browserMemory());
  pauses.set(project, made);
  return made;
}

/** What is selected in the open program, and every edit of its steps. */
export function useSteps(): StepEditor {
  const project = useProject();
  const known = editors.get(project);
  if (known !== undefined) return known;
  const timeline = useTimeline();
  timeline.recording.subscribe((recording) => project.recording.set(recording));
  timeline.time.subscribe((time) => project.time.set(time));
  timeline.playing.subscribe((playing) => project.playing.set(playing));
  const made = new StepEditor(project);
  editors.set(project, made);
  return made;
}
