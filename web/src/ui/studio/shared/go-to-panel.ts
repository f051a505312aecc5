/** From one panel of the studio to the next by a key, whatever is in them. */

/** In the order in which they are read. */
const PANELS = ["studio", "studio-left", "view", "studio-right", "studio-bottom"]
  .map((id) => `[data-testid="${id}"]`)
  .map((panel, i) => (i === 0 ? `${panel} > header` : panel));
const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";

/** The panel after, or before, that with the focus; the first where none has it. */
export function nextPanel(at: number, count: number, way: 1 | -1): number {
  if (at < 0) return way === 1 ? 0 : count - 1;
  return (at + way + count) % count;
}

export function goToPanel(way: 1 | -1): void {
  const panels = PANELS.flatMap((one) => [...document.querySelectorAll<HTMLElement>(one)]);
  const at = panels.findIndex((one) => one.contains(document.activeElement));
  for (let tried = 0, next = at; tried < panels.length; tried++) {
    next = nextPanel(next, panels.length, way);
    const target = firstStop(panels[next]);
    if (target === undefined) continue;
    target.focus();
    return;
  }
}

/** Where Tab would come to first in a panel. */
function firstStop(panel: HTMLElement | undefined): HTMLElement | undefined {
  if (panel === undefined) return undefined;
  return [panel, ...panel.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
    (one) => one.tabIndex >= 0 && !one.matches(":disabled") && one.checkVisibility(),
  );
}
