/** Gamepads: which pads are plugged in. A browser shows a pad after its first press. */

import { Store } from "../state/shared/store";
import { GamepadDevice, type PadSource } from "./gamepad-device";

export class Gamepads {
  readonly all = new Store<readonly GamepadDevice[]>([]);

  constructor(
    private readonly page: Pick<Window, "addEventListener" | "removeEventListener">,
    private readonly source: PadSource,
  ) {
    page.addEventListener("gamepadconnected", this.#look);
    page.addEventListener("gamepaddisconnected", this.#look);
    this.#look();
  }

  dispose(): void {
    this.page.removeEventListener("gamepadconnected", this.#look);
    this.page.removeEventListener("gamepaddisconnected", this.#look);
  }

  readonly #look = (): void => {
    const pads = this.source().filter((pad) => pad?.connected === true);
    const known = this.all.value;
    const now = pads.flatMap((pad) => {
      if (pad === null) return [];
      const made = new GamepadDevice(pad, this.source);
      return [known.find(({ id, title }) => id === made.id && title === made.title) ?? made];
    });
    this.all.set(now);
  };
}
