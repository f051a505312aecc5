/** The key that stops every robot while the view has the focus; elsewhere Space writes and presses buttons. */

export function isViewStop(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "target">,
): boolean {
  if (event.key !== " " || event.ctrlKey || event.altKey || event.metaKey) return false;
  return event.target instanceof HTMLElement && event.target.dataset["testid"] === "cell-canvas";
}
