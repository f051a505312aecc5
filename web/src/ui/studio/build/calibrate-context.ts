/** The calibration under way; the same for inspector and Teach. */

import { Calibrating } from "../../../state/build/calibration";
import { inWords } from "../../../state/shared/library";
import type { Project } from "../../../state/shared/project";
import { findFrame, findTool } from "../../../wire/rest";
import { useProject } from "../shared/studio-context";

const known = new WeakMap<Project, Calibrating>();

export function useCalibrating(): Calibrating {
  const project = useProject();
  let calibrating = known.get(project);
  if (calibrating === undefined) {
    calibrating = new Calibrating(project, { findTool, findFrame }, inWords);
    known.set(project, calibrating);
  }
  return calibrating;
}
