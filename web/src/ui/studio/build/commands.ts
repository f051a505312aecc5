/** What Build adds to the palette, and its keys in the view. */

import type { Building } from "../../../state/build/builder";
import { basicShape, newFrame, newObject, newPoint } from "../../../state/build/new-things";
import type { Project } from "../../../state/shared/project";
import type { Vector } from "../../../state/shared/rotations";
import { t } from "../../../state/texts";
import type { Command } from "../../commands";
import { treeActions } from "./tree-actions";

const NEEDS_SOME = ["duplicate", "copy", "group", "ungroup", "lock", "remove", "hide"] as const;

export function buildCommands(building: Building, project: Project, place: () => Vector): readonly Command[] {
  const action = (id: string) => treeActions(building, project).find((one) => one.id === id);
  const ofTree = [...NEEDS_SOME, "paste"].map((id): Command => {
    // H and L are for the tree alone: in the view a single letter may be taken.
    const keys = action(id)?.keys ?? "";
    return {
      id: `build.${id}`,
      title: () => action(id)?.title ?? "",
      group: "build",
      ...(keys.length > 1 ? { keys: [keys] } : {}),
      blocked: () => (action(id)?.disabled === true ? t("build.nothingSelected") : null),
      run: () => action(id)?.run(),
    };
  });
  const add = (id: string, what: () => string, run: () => void): Command => ({
    id: `build.add.${id}`,
    title: () => t("build.add", { what: what() }),
    group: "build",
    run,
  });
  const cell = () => project.cell.value;
  return [
    ...ofTree,
    add(
      "obstacle",
      () => t("build.obstacle"),
      () => {
        void building.add(newObject(cell(), t("build.name.box"), basicShape("box", false), false, place()));
      },
    ),
    add(
      "part",
      () => t("build.part"),
      () => {
        void building.add(newObject(cell(), t("build.name.part"), basicShape("box", true), true, place()));
      },
    ),
    add(
      "frame",
      () => t("build.frame"),
      () => {
        void building.add(newFrame(cell(), t("build.name.frame"), place()));
      },
    ),
    add(
      "point",
      () => t("build.point"),
      () => {
        void building.add(newPoint(cell(), t("build.name.point"), place()));
      },
    ),
  ];
}
