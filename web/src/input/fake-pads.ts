/** Pads for tests: what the browser would say of pads that nobody holds. */

import { PAD_BUTTONS } from "./gamepad-device";

export class FakePads {
  readonly #values = new Map<string, number>();
  shaken: number[] = [];
  plugged = true;

  constructor(
    private readonly id = "Xbox 360 Controller (STANDARD GAMEPAD Vendor: 045e Product: 028e)",
    private readonly mapping: GamepadMappingType = "standard",
  ) {}

  /** Set controls by their place: sticks −1 to 1 (up is positive), buttons 0 to 1. */
  set(values: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(values)) this.#values.set(name, value);
  }

  rest(): void {
    this.#values.clear();
  }

  get pad(): Gamepad {
    const at = (name: string): number => this.#values.get(name) ?? 0;
    const motors: Pick<GamepadHapticActuator, "playEffect"> = {
      playEffect: (_, { strongMagnitude = 0 } = {}) => {
        this.shaken.push(strongMagnitude);
        return Promise.resolve("complete");
      },
    };
    const pad = {
      id: this.id,
      index: 0,
      mapping: this.mapping,
      connected: this.plugged,
      timestamp: 0,
      axes: [at("left stick x"), -at("left stick y"), at("right stick x"), -at("right stick y")],
      buttons: PAD_BUTTONS.map((name) => ({ value: at(name), pressed: at(name) > 0.5, touched: false })),
      vibrationActuator: motors,
    };
    // A browser's pad has more, which nobody reads.
    return pad as unknown as Gamepad;
  }

  readonly source = (): readonly (Gamepad | null)[] => (this.plugged ? [this.pad] : [null]);
}
