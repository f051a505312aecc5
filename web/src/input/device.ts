/**
 * Device: something in a person's hand that is read once in each picture. It gives samples and knows neither robots nor
 * what its controls are for; a mapping makes intents of them.
 */

import type { Pose } from "../wire/generated";

/** A stick's direction, a trigger, a button or a key, by its place on the device: "left stick x", "a", "KeyW". */
export type ControlName = string;

/** What a device was seen to do at one moment. */
export interface Sample {
  /**
   * When it was read: the time of the animation frame, or of the XR frame, in which that happened. Milliseconds of the
   * page's monotonic clock (`performance.now()`).
   */
  readonly atMs: number;
  /**
   * Whether the device is there and can be trusted: connected, tracked, in a page that has the focus. False lets go of
   * everything; what is held then counts only after it was let go and pressed again.
   */
  readonly present: boolean;
  /** Deflections, −1 to 1; triggers and buttons 0 to 1. What is not named is 0. Up, right and forward are positive. */
  readonly values: Readonly<Record<ControlName, number>>;
  /** Where a tracked hand is in the world of the cell (Z up, metres); left out by devices that are not tracked. */
  readonly pose?: Pose;
}

export type DeviceKind = "gamepad" | "keyboard" | "3d mouse" | "hand";

export interface Device {
  /** Unique among the devices of a page, and the same as long as it is plugged in. */
  readonly id: string;
  readonly kind: DeviceKind;
  /** As its maker calls it. */
  readonly title: string;
  /** Every control that it may name in a sample. */
  readonly controls: readonly ControlName[];
  /** Read it now. Called in each frame, with the time of that frame; a device that is gone says so by `present`. */
  read(frameMs: number): Sample;
  /** Shake it: strength 0 to 1. Left out by what cannot. */
  pulse?(strength: number, ms: number): void;
  /** Listen no more. */
  dispose(): void;
}

/** A sample of a device that is not there. */
export function absent(atMs: number): Sample {
  return { atMs, present: false, values: {} };
}

/** A value of a sample: 0 where it is not named, within −1 and 1; null where it is no number. */
export function valueOf({ values }: Sample, control: ControlName): number | null {
  const value = values[control] ?? 0;
  return Number.isFinite(value) ? Math.min(1, Math.max(-1, value)) : null;
}
