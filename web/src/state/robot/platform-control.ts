/** PlatformControl: a mobile platform that a person pushes about the floor: x, y, heading. */

import type { JointInfo, PlatformInfo } from "../../wire/generated";
import type { FrameClock } from "../shared/glide";
import { Glide } from "../shared/glide";
import { clampTo } from "../shared/joints";
import { Store } from "../shared/store";

export class PlatformControl {
  readonly values: Store<readonly number[]>;
  readonly #glide: Glide;

  constructor(
    readonly info: PlatformInfo,
    clock: FrameClock,
  ) {
    this.values = new Store(this.home);
    this.#glide = new Glide(clock);
  }

  get joints(): readonly JointInfo[] {
    return this.info.joints;
  }

  get home(): readonly number[] {
    return this.info.joints.map((joint) => clampTo(joint, 0));
  }

  setJoint(index: number, value: number): void {
    this.place(this.values.value.map((old, i) => (i === index ? value : old)));
  }

  /** Put it here at once, held inside its limits. */
  place(values: readonly number[]): void {
    this.#glide.stop();
    this.values.set(values.map((value, i) => clampTo(this.info.joints[i] as JointInfo, value)));
  }

  glideTo(values: readonly number[], durationMs: number): void {
    this.#glide.start(this.values.value, values, durationMs, (step) => this.values.set(step));
  }

  dispose(): void {
    this.#glide.stop();
  }
}
