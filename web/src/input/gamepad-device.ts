/**
 * GamepadDevice: a pad of the browser's Gamepad API, its controls by their place. Only pads in the "standard" layout are
 * known by place; those of others are counted ("button-0", "axis-0") and can be mapped by hand.
 */

import { absent, type ControlName, type Device, type Sample } from "./device";

/** Controls of the standard layout, by their place. */
export type PadButton =
  | "a"
  | "b"
  | "x"
  | "y"
  | "left bumper"
  | "right bumper"
  | "left trigger"
  | "right trigger"
  | "back"
  | "start"
  | "left stick press"
  | "right stick press"
  | "dpad up"
  | "dpad down"
  | "dpad left"
  | "dpad right"
  | "guide";
export type PadAxis = "left stick x" | "left stick y" | "right stick x" | "right stick y";
export type PadControl = PadAxis | PadButton;

/** In the order of the standard (W3C Gamepad, "Remapping"). */
export const PAD_BUTTONS: readonly PadButton[] = [
  "a",
  "b",
  "x",
  "y",
  "left bumper",
  "right bumper",
  "left trigger",
  "right trigger",
  "back",
  "start",
  "left stick press",
  "right stick press",
  "dpad up",
  "dpad down",
  "dpad left",
  "dpad right",
  "guide",
];
/** Axes of the standard layout, and their sign: its sticks count down as positive. */
const PAD_AXES: readonly (readonly [PadAxis, 1 | -1])[] = [
  ["left stick x", 1],
  ["left stick y", -1],
  ["right stick x", 1],
  ["right stick y", -1],
];

export const PAD_CONTROLS: readonly PadControl[] = [...PAD_AXES.map(([name]) => name), ...PAD_BUTTONS];

/** Where pads are found: the browser's navigator. */
export type PadSource = () => readonly (Gamepad | null)[];

export class GamepadDevice implements Device {
  readonly id: string;
  readonly kind = "gamepad";
  readonly title: string;
  readonly controls: readonly ControlName[];
  readonly #index: number;
  readonly #name: string;
  readonly #standard: boolean;

  constructor(
    pad: Gamepad,
    private readonly source: PadSource,
  ) {
    this.#index = pad.index;
    this.#name = pad.id;
    this.#standard = pad.mapping === "standard";
    this.id = `gamepad-${pad.index}`;
    this.title = titleOf(pad.id);
    this.controls = this.#standard
      ? PAD_CONTROLS
      : [...pad.axes.map((_, i) => `axis-${i}`), ...pad.buttons.map((_, i) => `button-${i}`)];
  }

  read(frameMs: number): Sample {
    const pad = this.#pad;
    if (pad === null) return absent(frameMs);
    const values: Record<ControlName, number> = {};
    pad.buttons.forEach(({ value, pressed }, i) => {
      const name = this.#standard ? PAD_BUTTONS[i] : `button-${i}`;
      // Some drivers report a press without a value.
      if (name !== undefined) values[name] = pressed && value === 0 ? 1 : value;
    });
    pad.axes.forEach((value, i) => {
      if (!this.#standard) values[`axis-${i}`] = value;
      const axis = this.#standard ? PAD_AXES[i] : undefined;
      if (axis !== undefined) values[axis[0]] = axis[1] * value;
    });
    return { atMs: frameMs, present: true, values };
  }

  pulse(strength: number, ms: number): void {
    const effect = { duration: ms, strongMagnitude: strength, weakMagnitude: strength };
    // A browser that knows no motors, or a pad that has just gone, does not shake; that is no fault.
    const motors = this.#pad?.vibrationActuator;
    motors?.playEffect("dual-rumble", effect).catch(() => undefined);
  }

  dispose(): void {
    // Nothing is held: pads are only read.
  }

  /** The same pad as in the beginning; null where it is gone, or another one has its place. */
  get #pad(): Gamepad | null {
    const pad = this.source()[this.#index] ?? null;
    return pad?.connected === true && pad.id === this.#name ? pad : null;
  }
}

/** "Xbox 360 Controller (STANDARD GAMEPAD Vendor: 045e Product: 028e)" is an "Xbox 360 Controller". */
function titleOf(id: string): string {
  const title = id.replace(/\s*\([^)]*\)\s*$/, "").trim();
  return title === "" ? id : title;
}
