/** What can be done to the selected things: for the menu of the tree, its keys and the palette. */

import type { Building } from "../../../state/build/builder";
import { findThing } from "../../../state/build/tree";
import type { Project } from "../../../state/shared/project";
import { t } from "../../../state/texts";
import type { CellObject } from "../../../wire/studio";
import { type CommandRegistry, keyName } from "../../commands";
import { type MenuEntry, menuOf, tidy } from "../../menu-items";

export interface TreeAction {
  readonly id: string;
  readonly title: string;
  readonly keys: string;
  readonly disabled: boolean;
  readonly press: (event: KeyboardEvent) => boolean;
  readonly run: () => void;
}

export function treeActions(building: Building, project: Project): readonly TreeAction[] {
  const names = project.selection.value;
  const [only] = names;
  const none = names.length === 0;
  const objects = (project.cell.value.objects ?? []).filter(({ name }) => names.includes(name));
  const hide = objects.some((item: CellObject) => item.visible !== false);
  const lock = names.some((name) => !building.isLocked(name));
  const action = (id: string, title: string, keys: string, run: () => void, disabled = none): TreeAction => ({
    id,
    title,
    keys,
    run,
    disabled,
    press: (event) => keyName(event) === keys,
  });
  return [
    action("rename", t("tree.rename"), "F2", () => building.renaming.set(only ?? null), names.length !== 1),
    action("duplicate", t("tree.duplicate"), "Ctrl+D", () => void building.duplicate(names)),
    action("copy", t("tree.copy"), "Ctrl+C", () => copyToClipboard(building.copy(names))),
    action("paste", t("tree.paste"), "Ctrl+V", () => void pasteInto(building), false),
    action(
      "hide",
      t(hide ? "tree.hideThese" : "tree.showThese"),
      "H",
      () =>
        void building.set(
          objects.map(({ name }) => name),
          "visible",
          !hide,
        ),
      objects.length === 0,
    ),
    action("group", t("tree.groupThese"), "Ctrl+G", () => void building.group(names)),
    action(
      "ungroup",
      t("tree.ungroupThese"),
      "Ctrl+Shift+G",
      () => void building.group(names, ""),
      !names.some((name) => (findThing(project.cell.value, name)?.item.group ?? "") !== ""),
    ),
    action("lock", t(lock ? "tree.lockThese" : "tree.unlockThese"), "L", () => building.toggleLock(names)),
    action("remove", t("tree.remove"), "Delete", () => void building.remove(names)),
  ];
}

/** The menu of the selected things, in the tree and in the view; points come first with what they are for. */
export function thingMenu(
  building: Building,
  project: Project,
  registry: CommandRegistry,
): readonly MenuEntry[] {
  const { cell, selection } = project;
  const points = (cell.value.points ?? []).some(({ name }) => selection.value.includes(name));
  const first = points ? ["program.moveToPoint", "teach.go", "teach.touchUp"] : [];
  return tidy([...menuOf(registry, first), null, ...treeActions(building, project)]);
}

/** The browser may refuse; then the copy is only for this page, which keeps its own. */
function copyToClipboard(text: string): void {
  void clipboard()
    ?.writeText(text)
    .catch(() => undefined);
}

async function pasteInto(building: Building): Promise<void> {
  let text: string | null = null;
  try {
    text = (await clipboard()?.readText()) ?? null;
  } catch {
    // Not allowed: what was copied in this page is taken.
  }
  await building.paste(text);
}

/** Only pages that came safely, or from this machine, have one. */
function clipboard(): Clipboard | undefined {
  return (navigator as Partial<Navigator>).clipboard;
}
