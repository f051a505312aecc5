/** KeyboardDevice: keys by their place (`KeyboardEvent.code`), held as long as the page sees them held. */

import { absent, type ControlName, type Device, type Sample } from "./device";

/** The part of the browser's window that is used. */
export interface KeyTarget {
  addEventListener(type: "keydown" | "keyup", listener: (event: KeyboardEvent) => void): void;
  removeEventListener(type: "keydown" | "keyup", listener: (event: KeyboardEvent) => void): void;
}

export class KeyboardDevice implements Device {
  readonly id = "keyboard";
  readonly kind = "keyboard";
  readonly #down = new Set<ControlName>();

  constructor(
    readonly controls: readonly ControlName[],
    readonly title: string,
    private readonly target: KeyTarget,
    /** Whether keys are for it now: not while somebody types, or elsewhere has the focus. */
    private readonly listens: () => boolean,
  ) {
    target.addEventListener("keydown", this.#press);
    target.addEventListener("keyup", this.#letGo);
  }

  read(frameMs: number): Sample {
    if (!this.listens()) {
      this.#down.clear();
      return absent(frameMs);
    }
    return {
      atMs: frameMs,
      present: true,
      values: Object.fromEntries([...this.#down].map((code) => [code, 1])),
    };
  }

  dispose(): void {
    this.target.removeEventListener("keydown", this.#press);
    this.target.removeEventListener("keyup", this.#letGo);
    this.#down.clear();
  }

  readonly #press = (event: KeyboardEvent): void => {
    const { code, repeat, altKey, ctrlKey, metaKey } = event;
    if (!this.controls.includes(code) || altKey || ctrlKey || metaKey || !this.listens()) return;
    event.preventDefault();
    // What was already down when it began to listen is not a press.
    if (!repeat) this.#down.add(code);
  };

  readonly #letGo = ({ code }: KeyboardEvent): void => {
    this.#down.delete(code);
  };
}
