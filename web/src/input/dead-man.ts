/**
 * DeadMan: the switch that a person holds as long as an arm may move. Whatever takes it away (the hand, the device, the
 * page, the robot) takes it until the switch was seen open again: what is still held then does not count.
 */

/** A trigger counts as held from here on. */
export const CLOSES_AT = 0.6;
/** And as let go from here on, so that a trembling finger does not chatter. */
export const OPENS_AT = 0.4;

export class DeadMan {
  #held = false;
  /** Whether it was seen open since it was taken away. */
  #armed = false;

  get held(): boolean {
    return this.#held;
  }

  /** Take how far the switch is pressed, 0 to 1; return whether it is held. */
  take(pressed: number): boolean {
    if (pressed <= OPENS_AT) {
      this.#held = false;
      this.#armed = true;
    } else if (pressed >= CLOSES_AT && this.#armed) this.#held = true;
    return this.#held;
  }

  /** Let go, until it was seen open. */
  release(): void {
    this.#held = false;
    this.#armed = false;
  }
}
