/**
 * Steady: whether buttons have stayed where they are on the screen. A message that comes above them pushes them down,
 * and a finger that is on its way then meets another one: for a moment, nothing may be pressed.
 */

export const STEADY_MS = 300;

export class Steady {
  #place: number | null = null;
  #movedMs = -Infinity;

  /** `place`: where the buttons are on the screen, in any one direction; null: there are none. */
  constructor(
    private readonly place: () => number | null,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** Look where they are: to be called in each picture. */
  look(): void {
    const place = this.place();
    if (place !== this.#place && place !== null && this.#place !== null) this.#movedMs = this.nowMs();
    this.#place = place;
  }

  /**
   * Whether they had not moved for a while when they were pressed. A busy page handles a press late: what counts is
   * when the finger came down (`pressedMs`, the event's time stamp), not when the page got round to it.
   */
  at(pressedMs: number): boolean {
    this.look();
    return Math.min(pressedMs, this.nowMs()) - this.#movedMs >= STEADY_MS;
  }
}
