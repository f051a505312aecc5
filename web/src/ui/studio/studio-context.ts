/** What every panel of the studio can reach, beside the page's own context. */

import { getContext, setContext } from "svelte";
import type { Project } from "../../state/project";

const KEY = Symbol("studio");

export function provideProject(project: Project): void {
  setContext(KEY, project);
}

/** The project that this studio shows; it stays the same as long as the studio is there. */
export function useProject(): Project {
  return getContext<Project>(KEY);
}
