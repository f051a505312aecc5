/** What STOP does, wherever it is pressed. */

import type { Project } from "../../../state/shared/project";
import { t } from "../../../state/texts";
import type { Context } from "../../context";

/** Stop all robots; also where none seems to be connected, since the server knows better. */
export function stop({ notices }: Context, project: Project): void {
  const { now, running } = project.operation;
  const idle = !running && (now.value.state === "off" || now.value.state === "failed");
  project.stopAll();
  if (idle) notices.show({ kind: "told", text: t("shell.stop.nothing") });
}
