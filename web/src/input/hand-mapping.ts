/** HandMapping: the tool makes the way of a tracked hand, as long as the hand holds its clutch. */

import type { JogCommand } from "../state/operate/jog";
import type { ControlName, Sample } from "./device";
import { Mapping } from "./mapping";

export interface HandSettings {
  /** Clutch and dead-man switch in one: a grip or a pinch. */
  readonly clutch: readonly ControlName[];
  readonly buttons: readonly ControlName[];
  /** Multiplies the way of the hand, more than 0 and at most 1; its rotation is followed one to one. */
  readonly scale: number;
  /** Axes of the world along or about which nothing happens. */
  readonly locked: readonly ("x" | "y" | "z" | "rx" | "ry" | "rz")[];
}

export class HandMapping extends Mapping {
  constructor(public settings: HandSettings) {
    super();
  }

  protected get deadMan(): readonly ControlName[] {
    return this.settings.clutch;
  }

  protected get buttons(): readonly ControlName[] {
    return this.settings.buttons;
  }

  /** The whole way since the clutch was closed is the servo's to know: it gets where the hand is. */
  protected commandOf({ pose }: Sample, held: boolean): JogCommand | null {
    if (!held || pose === undefined) return null;
    const { scale, locked } = this.settings;
    return { type: "pose", pose, relative: true, frame: "world", scale, locked };
  }
}
