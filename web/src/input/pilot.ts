/**
 * Pilot: reads one device in each frame, and lets its mapping drive one target: a robot, or the ghost. The clutch goes in
 * with the dead-man switch and out with it, and out with everything that makes nobody hold it: the page loses the focus
 * or is hidden, the device goes, its tracking is lost, the robot has ended the motion.
 */

import type { FrameClock } from "../state/shared/glide";
import { onChange, type Readable, Store } from "../state/shared/store";
import type { Attention } from "./attention";
import { absent, type Device, type Sample } from "./device";
import { type Mapping, noWish, type Wish } from "./mapping";

/** What a pilot drives. */
export interface Target {
  /** Follow a wish; called for every sample that counts. */
  follow(wish: Wish): void;
  /** Nothing is held any more. */
  letGo(): void;
  /** Counts up when the motion was ended by another: the person has to press again. */
  readonly ended: Readable<number>;
}

export class Pilot {
  /** What the device was seen to do last; for pictures of it. */
  readonly sample: Store<Sample>;
  /** What came of it. */
  readonly wish = new Store<Wish>(noWish(0));
  #frame: number | null = null;
  readonly #leaving: (() => void)[];

  constructor(
    readonly device: Device,
    readonly mapping: Mapping,
    private readonly target: Target,
    private readonly attention: Pick<Attention, "here" | "left">,
    /** Of the page, or of an XR session: its frames stamp the samples. */
    private readonly clock: FrameClock,
  ) {
    this.sample = new Store(absent(clock.nowMs()));
    this.#leaving = [
      onChange(target.ended, () => mapping.release()),
      onChange(attention.left, () => this.release()),
    ];
    this.#frame = clock.next(this.#read);
  }

  /** Let go of everything, now. */
  release(): void {
    this.mapping.release();
    this.target.letGo();
  }

  dispose(): void {
    if (this.#frame !== null) this.clock.cancel(this.#frame);
    this.#frame = null;
    for (const leave of this.#leaving) leave();
    this.release();
    this.device.dispose();
  }

  readonly #read = (frameMs: number): void => {
    this.#frame = this.clock.next(this.#read);
    const read = this.device.read(frameMs);
    const sample = this.attention.here ? read : absent(frameMs);
    this.sample.set(sample);
    const wish = this.mapping.take(sample);
    if (wish === null) return;
    this.wish.set(wish);
    this.target.follow(wish);
  };
}
