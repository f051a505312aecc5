/**
 * FocusKeeper: where what has the focus goes away or is switched off, the focus stays near it and does not fall to the page.
 *
 * It goes to a neighbour in the same list, else to the part of the page round it, never to another button: who still
 * holds Enter down must not press that.
 */

const LISTS = '[role="tree"], [role="listbox"], [role="menu"], ul, ol';
const PARTS = "section, aside, article, header, main, dialog, [role='dialog']";
const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";
/** What is off for a shorter time, while it does its work, gets the focus back. */
const OFF_MS = 1500;

export class FocusKeeper {
  #last: HTMLElement | null = null;
  /** Round it, the nearest first. */
  #around: HTMLElement[] = [];
  /** Where it was, when it got the focus: left and top on the page. */
  #place = { x: 0, y: 0 };
  /** When it was first seen off; −1: it is on. */
  #offMs = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #watching = new MutationObserver(() => this.#lookSoon());

  constructor(private readonly page: Document) {
    page.addEventListener("focusin", this.#take);
    page.addEventListener("focusout", this.#leave);
    this.#watching.observe(page.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled", "hidden"],
    });
  }

  dispose(): void {
    this.#watching.disconnect();
    clearTimeout(this.#timer);
    this.page.removeEventListener("focusin", this.#take);
    this.page.removeEventListener("focusout", this.#leave);
  }

  readonly #take = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    this.#last = target;
    this.#offMs = -1;
    const { x, y } = target.getBoundingClientRect();
    this.#place = { x, y };
    this.#around = [];
    for (let node = target.parentElement; node !== null && node !== this.page.body; node = node.parentElement)
      this.#around.push(node);
  };

  /** Who leaves something that is still there wants to. */
  readonly #leave = ({ target }: FocusEvent): void => {
    setTimeout(() => {
      const { activeElement, body } = this.page;
      const nowhere = activeElement === null || activeElement === body;
      if (target === this.#last && this.#last !== null && nowhere && isUsable(this.#last)) this.#last = null;
    }, 0);
  };

  get #isLost(): boolean {
    const { activeElement, body } = this.page;
    return activeElement === null || activeElement === body || activeElement === this.#last;
  }

  #lookSoon(wait = 0): void {
    if (this.#last === null) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), wait);
  }

  #look(): void {
    const last = this.#last;
    if (last === null || !this.#isLost) return;
    if (isUsable(last)) {
      if (this.#offMs >= 0 && this.page.activeElement !== last) last.focus({ preventScroll: true });
      this.#offMs = -1;
      return;
    }
    if (last.isConnected && last.checkVisibility()) {
      const now = performance.now();
      if (this.#offMs < 0) this.#offMs = now;
      const left = this.#offMs + OFF_MS - now;
      if (left > 0) {
        this.#lookSoon(left);
        return;
      }
    }
    this.#goNear();
  }

  #goNear(): void {
    const there = this.#around.filter((one) => one.isConnected && one.checkVisibility());
    const list = there.find((one) => one.matches(LISTS));
    const part = there.find((one) => one.matches(PARTS));
    const inList = list === undefined || part?.contains(list) === false ? null : this.#nearestIn(list);
    const target = inList ?? part;
    if (target === undefined) return;
    if (target === part && !target.hasAttribute("tabindex")) {
      target.tabIndex = -1;
      // Else a press on its empty places would give it the focus, too.
      target.addEventListener("blur", () => target.removeAttribute("tabindex"), { once: true });
    }
    target.focus({ preventScroll: true });
  }

  #nearestIn(list: HTMLElement): HTMLElement | null {
    let best: HTMLElement | null = null;
    let least = Infinity;
    for (const one of list.querySelectorAll<HTMLElement>(FOCUSABLE)) {
      if (one.tabIndex < 0 || !isUsable(one)) continue;
      const { x, y } = one.getBoundingClientRect();
      const far = Math.hypot(x - this.#place.x, y - this.#place.y);
      if (far < least) [best, least] = [one, far];
    }
    return best;
  }
}

function isUsable(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}
