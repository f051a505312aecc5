/** What the controls of a pad do until a person changes it. */

import { BUTTON, STICK } from "./curve";
import { FULL_TURN, type TwistSettings } from "./twist-mapping";

/** What a control can do beside motion. */
export type Deed =
  "next side" | "previous side" | "store" | "change view" | "change frame" | "next arm" | "go there";
export const DEEDS: readonly Deed[] = [
  "next side",
  "previous side",
  "store",
  "change view",
  "change frame",
  "next arm",
  "go there",
];

/** How one person's pad is set. */
export interface PadSettings extends Omit<TwistSettings, "buttons"> {
  /** What a press of a control does. */
  readonly deeds: Readonly<Record<string, Deed>>;
  /** Tilts the tool view; empty: nothing does. */
  readonly tilt: string;
}

/** Sticks along x and y, D-pad along z, the coloured buttons about the axis of their colour. */
export const PAD_DEFAULTS: PadSettings = {
  deadMan: ["left trigger", "right trigger"],
  axes: [
    // As seen from behind the robot: right is −y, forward is x.
    { control: "left stick y", axis: "x", gain: 1, curve: STICK },
    { control: "left stick x", axis: "y", gain: -1, curve: STICK },
    { control: "dpad up", axis: "z", gain: 1, curve: BUTTON },
    { control: "dpad down", axis: "z", gain: -1, curve: BUTTON },
    { control: "b", axis: "rx", gain: 1, curve: BUTTON },
    { control: "a", axis: "ry", gain: 1, curve: BUTTON },
    { control: "x", axis: "rz", gain: 1, curve: BUTTON },
  ],
  reverse: "left bumper",
  frame: "base",
  linear: 0.25,
  angular: FULL_TURN,
  scale: 1,
  deeds: {
    y: "next side",
    back: "previous side",
    "right bumper": "store",
    "right stick press": "change view",
    "left stick press": "change frame",
    "dpad right": "next arm",
    start: "go there",
  },
  tilt: "right stick y",
};

/** For a mapping of the tool's velocity. */
export function twistSettings({ deeds, tilt, ...rest }: PadSettings): TwistSettings {
  return { ...rest, buttons: Object.keys(deeds).filter((control) => control !== tilt) };
}
