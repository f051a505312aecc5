/** Attention: whether a person is at this page. Hidden, or without the focus, it is held by nobody. */

import { Store } from "../state/shared/store";

/** The parts of the browser that are asked. */
export interface PageParts {
  readonly document: Pick<
    Document,
    "hasFocus" | "visibilityState" | "addEventListener" | "removeEventListener"
  >;
  readonly window: Pick<Window, "addEventListener" | "removeEventListener">;
}

export class Attention {
  /** Counts up whenever the person has left, also where they are back before the next frame. */
  readonly left = new Store(0);

  constructor(
    private readonly page: PageParts,
    /** True where something else says who is there, as an XR session that is shown to its wearer. */
    private readonly elsewhere: () => boolean = () => false,
  ) {
    page.window.addEventListener("blur", this.#leave);
    page.window.addEventListener("pagehide", this.#leave);
    page.document.addEventListener("visibilitychange", this.#leave);
  }

  get here(): boolean {
    const { document } = this.page;
    return this.elsewhere() || (document.visibilityState === "visible" && document.hasFocus());
  }

  dispose(): void {
    this.page.window.removeEventListener("blur", this.#leave);
    this.page.window.removeEventListener("pagehide", this.#leave);
    this.page.document.removeEventListener("visibilitychange", this.#leave);
  }

  readonly #leave = (): void => {
    if (!this.elsewhere()) this.left.set(this.left.value + 1);
  };
}
