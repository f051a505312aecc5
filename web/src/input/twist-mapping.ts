/** TwistMapping: sticks, buttons and keys move the tool along and about axes. */

import { FULL_LINEAR, type JogCommand } from "../state/operate/jog";
import type { Quaternion } from "../state/shared/rotations";
import type { ControlName, Sample } from "./device";
import { valueOf } from "./device";
import { type Curve, shaped } from "./curve";
import { CLOSES_AT } from "./dead-man";
import { Mapping } from "./mapping";

export type Axis = "x" | "y" | "z" | "rx" | "ry" | "rz";
export const AXES: readonly Axis[] = ["x", "y", "z", "rx", "ry", "rz"];

/** A control moves along or about an axis. */
export interface AxisBinding {
  readonly control: ControlName;
  readonly axis: Axis;
  /** Share of the full speed at full deflection, −1 to 1; negative: the other way. */
  readonly gain: number;
  readonly curve: Curve;
}

export interface TwistSettings {
  /** Any of these has to be held for a robot to move. */
  readonly deadMan: readonly ControlName[];
  readonly axes: readonly AxisBinding[];
  /** While it is held, rotations go the other way; empty: none. */
  readonly reverse: ControlName;
  /** Controls with another meaning than motion. */
  readonly buttons: readonly ControlName[];
  readonly frame: "world" | "base" | "tool" | "view";
  /** At full deflection, metres a second; at most 0.25, as with every hand. */
  readonly linear: number;
  /** At full deflection, radians a second. */
  readonly angular: number;
  /** Multiplies all speeds, more than 0 and at most 1. */
  readonly scale: number;
}

export const FULL_TURN = Math.PI / 6;

export class TwistMapping extends Mapping {
  /** The axes of who looks, for the frame `view`: in the world. */
  view: () => Quaternion = () => [1, 0, 0, 0];

  constructor(public settings: TwistSettings) {
    super();
  }

  protected get deadMan(): readonly ControlName[] {
    return this.settings.deadMan;
  }

  protected get buttons(): readonly ControlName[] {
    return this.settings.buttons;
  }

  protected commandOf(sample: Sample): JogCommand | null {
    const { axes, reverse, frame, linear, angular, scale } = this.settings;
    const way = reverse !== "" && (valueOf(sample, reverse) ?? 0) >= CLOSES_AT ? -1 : 1;
    const wanted = new Map<Axis, number>();
    for (const { control, axis, gain, curve } of axes) {
      const share = gain * shaped(valueOf(sample, control) ?? 0, curve);
      wanted.set(axis, (wanted.get(axis) ?? 0) + share);
    }
    const at = (axis: Axis, most: number): number => most * clip(wanted.get(axis) ?? 0);
    const turn = way * angular;
    const twist = {
      linear: [at("x", linear), at("y", linear), at("z", linear)] as const,
      angular: [at("rx", turn), at("ry", turn), at("rz", turn)] as const,
    };
    if ([...twist.linear, ...twist.angular].every((value) => value === 0)) return null;
    const length = Math.hypot(...twist.linear);
    // Two sticks at once ask for no more than one of them.
    const most = Math.min(linear, FULL_LINEAR);
    const less = length > most ? most / length : 1;
    const [x, y, z] = twist.linear;
    const whole: JogCommand = {
      type: "twist",
      ...twist,
      linear: [x * less, y * less, z * less],
      frame,
      scale,
    };
    return frame === "view" ? { ...whole, view: this.view() } : whole;
  }
}

function clip(share: number): number {
  return Math.min(1, Math.max(-1, share));
}
