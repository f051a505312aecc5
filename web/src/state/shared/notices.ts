/** Notices: the one line of news at the bottom of the page, with what can be done about it. */

import { Store } from "./store";

export interface Notice {
  readonly kind: "told" | "error";
  readonly text: string;
  readonly action?: { readonly title: string; readonly run: () => void };
}

/** Long enough to read a sentence and to decide about it. */
const TOLD_MS = 12_000;

export class Notices {
  readonly current = new Store<Notice | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** A notice goes away by itself; an error stays until it is closed or replaced. */
  show(notice: Notice): void {
    clearTimeout(this.#timer);
    this.current.set(notice);
    if (notice.kind === "told") this.#timer = setTimeout(() => this.close(), TOLD_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.current.set(null);
  }
}
