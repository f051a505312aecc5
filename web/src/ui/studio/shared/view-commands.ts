/** The commands of the view. */

import type { CellStage } from "../../../scene/cell-stage";
import type { Project } from "../../../state/shared/project";
import type { Store } from "../../../state/shared/store";
import type { StudioView } from "../../../state/shared/studio-view";
import { t, type TextKey } from "../../../state/texts";
import type { NamedView } from "../../../state/shared/view";
import type { Command } from "../../commands";

export interface ViewParts {
  readonly project: Project;
  readonly view: StudioView;
  readonly stage: Store<CellStage | null>;
  readonly inset: Store<boolean>;
  readonly sound: Store<boolean>;
}

/** Named views and their keys. */
export const VIEWS = [
  { name: "iso", key: "I" },
  { name: "front", key: "K" },
  { name: "back", key: "Shift+K" },
  { name: "left", key: "L" },
  { name: "right", key: "Shift+L" },
  { name: "top", key: "O" },
  { name: "bottom", key: "Shift+O" },
] as const satisfies readonly { readonly name: NamedView; readonly key: string }[];

/** The menu of the view, where nothing is selected. "-" is a line. */
export const VIEW_MENU: readonly string[] = [
  "view.fit",
  ...VIEWS.map(({ name }) => `view.look.${name}`),
  "-",
  "view.frames",
  "view.armFrames",
  "view.margins",
  "view.reach",
  "view.inset",
  "-",
  "view.measure",
  "build.paste",
];

export function viewCommands({ project, view, stage, inset, sound }: ViewParts): readonly Command[] {
  const toggle = (id: string, title: TextKey, flag: Store<boolean>, key?: string): Command => ({
    id: `view.${id}`,
    title: () => t(title),
    group: "view",
    ...(key === undefined ? {} : { keys: [key] }),
    run: () => flag.set(!flag.value),
  });
  const handle = (mode: "move" | "turn", key: string): Command => ({
    id: `view.${mode}`,
    title: () => t(`view.tool.${mode}`),
    group: "view",
    keys: [key],
    run: () => {
      view.tool.set("handle");
      view.mode.set(mode);
    },
  });
  return [
    handle("move", "W"),
    handle("turn", "E"),
    {
      id: "view.measure",
      title: () => t("view.tool.measure"),
      group: "view",
      keys: ["M"],
      run: () => view.tool.set(view.tool.value === "measure" ? "handle" : "measure"),
    },
    {
      id: "view.touch",
      title: () => t("view.tool.touch.hint"),
      group: "teach",
      keys: ["Q"],
      blocked: () => (project.mode.value === "teach" ? null : t("view.tool.touch.only")),
      run: () => view.tool.set(view.tool.value === "touch" ? "handle" : "touch"),
    },
    {
      id: "view.axes",
      title: () => t("view.axes"),
      group: "view",
      keys: ["X"],
      run: () => view.axes.set(view.axes.value === "world" ? "tool" : "world"),
    },
    toggle("snap", "view.snap", view.snap, "S"),
    toggle("frames", "view.frames.hint", view.frames, "C"),
    toggle("margins", "view.margins.hint", view.margins),
    toggle("xray", "view.xray.hint", view.xray, "Shift+X"),
    toggle("armFrames", "robot.showFrames", view.armFrames, "Shift+C"),
    toggle("reach", "robot.showReach", view.reach, "R"),
    toggle("inset", "view.inset", inset, "V"),
    toggle("sound", "view.sound", sound),
    {
      id: "view.dropDown",
      title: () => t("view.dropDown"),
      group: "build",
      keys: ["End"],
      run: () => {
        if (project.mode.value === "build") void stage.value?.moving.dropDown();
      },
    },
    ...VIEWS.map(({ name, key }): Command => ({
      id: `view.look.${name}`,
      title: () => t(`view.view.${name}`),
      group: "view",
      keys: [key],
      run: () => stage.value?.look(name),
    })),
    {
      id: "view.fit",
      title: () => t(project.selection.value.length > 0 ? "view.view.fitSelected" : "view.view.fit"),
      also: () => t("page.home.words"),
      group: "view",
      keys: ["F"],
      run: () => stage.value?.look("fit"),
    },
  ];
}
