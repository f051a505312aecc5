/** Points that are dragged from the tree into the list of steps. */

const POINTS = "application/x-openpendant-points";

/** Have a drag carry points. */
export function carryPoints(event: DragEvent, names: readonly string[]): void {
  event.dataTransfer?.setData(POINTS, JSON.stringify(names));
}

/** Whether points are dragged here; they are taken then. */
export function takesPoints(event: DragEvent): boolean {
  if (event.dataTransfer?.types.includes(POINTS) !== true) return false;
  event.preventDefault();
  event.dataTransfer.dropEffect = "copy";
  return true;
}

/** The points that are dropped here. */
export function draggedPoints(event: DragEvent): readonly string[] {
  const text = event.dataTransfer?.getData(POINTS) ?? "";
  if (text === "") return [];
  event.preventDefault();
  const names: unknown = JSON.parse(text);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
