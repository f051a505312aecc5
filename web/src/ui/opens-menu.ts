/** What opens a context menu: the right button, a long press, the menu key and Shift+F10. */

/** Where a menu opens, and on what. */
export interface MenuPlace {
  readonly target: HTMLElement;
  readonly x: number;
  readonly y: number;
  readonly byKey: boolean;
}

export interface MenuOpener {
  /** Open it; false: there is none for this target. */
  readonly open: (at: MenuPlace) => boolean;
  /** A finger stays down: what else it has begun is over. */
  readonly pressed?: () => void;
  /** True where the right button also drags: the menu comes when it is released where it was pressed. */
  readonly late?: boolean;
}

const LONG_PRESS_MS = 500;
const STILL_PX = 8;

export const isMenuKey = (event: KeyboardEvent): boolean =>
  event.key === "ContextMenu" || (event.shiftKey && event.key === "F10");

/** A Svelte action; `open` is called with the element that is meant, which is inside `node`. */
export function opensMenu(node: HTMLElement, opener: MenuOpener): { destroy: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  let swallow = false;

  const cancel = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const contextmenu = (event: MouseEvent): void => {
    cancel();
    if (opener.late === true) return event.preventDefault();
    const target = event.target as HTMLElement;
    if (opener.open({ target, x: event.clientX, y: event.clientY, byKey: false })) event.preventDefault();
  };
  const keydown = (event: KeyboardEvent): void => {
    if (!isMenuKey(event) || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const { left, bottom } = target.getBoundingClientRect();
    if (!opener.open({ target, x: left + 40, y: bottom, byKey: true })) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const pointerdown = (event: PointerEvent): void => {
    cancel();
    swallow = false;
    from = { x: event.clientX, y: event.clientY };
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!opener.open({ target: event.target as HTMLElement, ...from, byKey: false })) return;
      swallow = true;
      opener.pressed?.();
    }, LONG_PRESS_MS);
  };
  const far = (event: PointerEvent): boolean =>
    Math.hypot(event.clientX - from.x, event.clientY - from.y) > STILL_PX;
  const pointermove = (event: PointerEvent): void => {
    if (timer !== undefined && far(event)) cancel();
  };
  const pointerup = (event: PointerEvent): void => {
    cancel();
    if (opener.late !== true || event.button !== 2 || far(event)) return;
    opener.open({ target: event.target as HTMLElement, x: event.clientX, y: event.clientY, byKey: false });
  };
  /** The click of the finger that has opened the menu would choose what lies below it. */
  const click = (event: Event): void => {
    if (!swallow) return;
    swallow = false;
    event.preventDefault();
    event.stopPropagation();
  };
  node.addEventListener("contextmenu", contextmenu);
  node.addEventListener("keydown", keydown);
  node.addEventListener("pointerdown", pointerdown);
  node.addEventListener("pointermove", pointermove);
  node.addEventListener("pointerup", pointerup);
  node.addEventListener("pointercancel", cancel);
  node.addEventListener("click", click, { capture: true });
  return {
    destroy: () => {
      cancel();
      node.removeEventListener("contextmenu", contextmenu);
      node.removeEventListener("keydown", keydown);
      node.removeEventListener("pointerdown", pointerdown);
      node.removeEventListener("pointermove", pointermove);
      node.removeEventListener("pointerup", pointerup);
      node.removeEventListener("pointercancel", cancel);
      node.removeEventListener("click", click, { capture: true });
    },
  };
}
