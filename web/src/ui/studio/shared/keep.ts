/** Keeps the project in which a robot is looked at. */

import { inWords } from "../../../state/shared/library";
import type { Project } from "../../../state/shared/project";
import { keepCell } from "../../../state/shared/scratch";
import { t } from "../../../state/texts";
import type { Context } from "../../context";
import { tabMemory } from "./browser-memory";

/** Make a project of the library of it, and go there. */
export async function keep(
  { library, notices, router }: Context,
  project: Project,
  robot: string,
): Promise<void> {
  try {
    const id = await keepCell(project, robot, library, tabMemory());
    notices.show({ kind: "told", text: t("shell.kept") });
    router.go({ page: "project", id });
  } catch (error) {
    project.complain(inWords(error));
  }
}
