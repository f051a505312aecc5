/** RobotTarget: an arm that runs, driven by a device through the same line as every hand: server, servo, gate. */

import { type Jog, type JogCommand, type Jogging, STAY } from "../state/operate/jog";
import { onChange, Store } from "../state/shared/store";
import type { Wish } from "./mapping";
import { noWish } from "./mapping";
import type { Target } from "./pilot";

/** An arm of the cell. */
export interface DrivenArm {
  readonly robot: string;
  readonly arm: string;
}

export class RobotTarget implements Target {
  readonly ended = new Store(0);
  #jog: Jog | null = null;
  #wish: Wish = noWish(0);
  readonly #unheard: () => void;

  constructor(
    /** A hand of its own for each arm that is driven at the same time: `operation.newHand()`. */
    private readonly hand: Jogging,
    /** What is shown as held. */
    private readonly key: string,
    /** The arm that the next grip drives; null: none can be driven. */
    private readonly arm: () => DrivenArm | null,
  ) {
    this.#unheard = onChange(hand.held, (held) => {
      if (held !== null || this.#jog === null) return;
      this.#jog = null;
      this.ended.set(this.ended.value + 1);
    });
  }

  follow(wish: Wish): void {
    this.#wish = wish;
    if (!wish.held) this.letGo();
    else if (this.#jog === null) this.#begin();
    else this.hand.follow(this.#jog, wish.atMs);
  }

  letGo(): void {
    const jog = this.#jog;
    this.#jog = null;
    if (jog !== null) this.hand.end(jog);
  }

  dispose(): void {
    this.letGo();
    this.#unheard();
  }

  #begin(): void {
    const driven = this.arm();
    if (driven === null) return;
    const command = (): JogCommand => this.#wish.command ?? STAY;
    this.#jog = { key: this.key, ...driven, command, byDevice: true };
    void this.hand.begin(this.#jog);
  }
}
