/** JointMapping: controls turn joints, each its own. */

import { FULL_ANGULAR, type JogCommand } from "../state/operate/jog";
import { type Curve, shaped } from "./curve";
import { type ControlName, type Sample, valueOf } from "./device";
import { Mapping } from "./mapping";

export interface JointBinding {
  readonly control: ControlName;
  /** In the vendor's counting, from 0. A joint that the arm does not have is left out. */
  readonly joint: number;
  /** Share of the full speed, −1 to 1. */
  readonly gain: number;
  readonly curve: Curve;
}

export interface JointSettings {
  readonly deadMan: readonly ControlName[];
  readonly joints: readonly JointBinding[];
  readonly buttons: readonly ControlName[];
  /** More than 0 and at most 1. */
  readonly scale: number;
}

export class JointMapping extends Mapping {
  constructor(
    public settings: JointSettings,
    /** How many joints the arm has that is driven now. */
    private readonly dof: () => number,
  ) {
    super();
  }

  protected get deadMan(): readonly ControlName[] {
    return this.settings.deadMan;
  }

  protected get buttons(): readonly ControlName[] {
    return this.settings.buttons;
  }

  protected commandOf(sample: Sample): JogCommand | null {
    const velocity = Array.from({ length: this.dof() }, () => 0);
    for (const { control, joint, gain, curve } of this.settings.joints) {
      const old = velocity[joint];
      if (old !== undefined)
        velocity[joint] = old + FULL_ANGULAR * gain * shaped(valueOf(sample, control) ?? 0, curve);
    }
    if (velocity.every((value) => value === 0)) return null;
    const clipped = velocity.map((value) => Math.min(FULL_ANGULAR, Math.max(-FULL_ANGULAR, value)));
    return { type: "joints", velocity: clipped, scale: this.settings.scale };
  }
}
