/** What keys do in the list of steps. */

import type { Row, StepRow } from "../../../state/program/steps";
import type { StepEditor } from "../../../state/program/steps-editor";

export interface ListActs {
  readonly steps: StepEditor;
  readonly rows: readonly Row[];
  /** The row that has the focus. */
  readonly at: string | null;
  /** Bring the focus to a step. */
  readonly focus: (id: string) => void;
  /** Open the menu of new steps. */
  readonly add: () => void;
  /** Go on to the fields of the step. */
  readonly enter: () => void;
  /** Go on to its speed and zone in the row; false: it has none. */
  readonly chip: () => boolean;
}

/** Do what a key means here; return whether it means anything. */
export function listKey(event: KeyboardEvent, acts: ListActs): boolean {
  const { steps, rows, at, focus } = acts;
  const lines = rows.filter((row): row is StepRow => row.kind === "step");
  const index = lines.findIndex(({ id }) => id === at);
  const row = lines[index];
  const control = event.ctrlKey || event.metaKey;
  const go = (to: number): void => {
    const target = lines[Math.min(lines.length - 1, Math.max(0, to))];
    if (target === undefined) return;
    if (event.shiftKey) steps.extend(target.id);
    else steps.select(target.id);
    focus(target.id);
  };
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (control) {
    if (event.shiftKey || event.altKey) return false;
    if (key === "a") steps.selectAll();
    else if (key === "c") steps.copy();
    else if (key === "x") void steps.cut();
    else if (key === "v") void steps.paste();
    else if (key === "d") void steps.duplicate();
    else if (key === "g") void steps.group();
    else if (key === "/") void steps.toggleEnabled();
    else return false;
    return true;
  }
  if (event.altKey) {
    if (key === "ArrowUp") void steps.moveBy(-1);
    else if (key === "ArrowDown") void steps.moveBy(1);
    else return false;
    return true;
  }
  switch (key) {
    case "ArrowDown":
      go(index + 1);
      return true;
    case "ArrowUp":
      go(index < 0 ? lines.length - 1 : index - 1);
      return true;
    case "Home":
      go(0);
      return true;
    case "End":
      go(lines.length - 1);
      return true;
    case "ArrowRight":
      if (row?.holds !== true) return acts.chip();
      if (row.folded) steps.toggleFold(row.id);
      else go(index + 1);
      return true;
    case "ArrowLeft":
      if (row === undefined) return false;
      if (row.holds && !row.folded) steps.toggleFold(row.id);
      else if (row.spot.parent !== "") go(lines.findIndex(({ id }) => id === row.spot.parent));
      return true;
    case "Delete":
    case "Backspace":
      void steps.remove();
      return true;
    case "Enter":
      acts.enter();
      return true;
    case "Insert":
    case "+":
      acts.add();
      return true;
    case "Escape":
      if (steps.selected.value.length < 2) return false;
      steps.select(at);
      return true;
    default:
      return false;
  }
}
