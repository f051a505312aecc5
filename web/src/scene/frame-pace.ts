/**
 * FramePace: how often a picture may be drawn, and whether shadows may move in it. A machine without a graphics card
 * draws for so long that the page's own frames, in which a jog speaks to its robot, come late: so slow pictures are
 * followed by a rest as long as they took, and their shadows wait until the bodies rest.
 */

const SLOW_MS = 45;
/** Where the processor draws, every picture takes time from everything else, also where it is quick. */
const SLOW_IN_SOFTWARE_MS = 12;
/** So many slow pictures in a row are no chance: a page that loads has some too. */
const SLOW_IN_A_ROW = 4;
/** The page was hidden, or the machine slept. */
const NOT_DRAWING_MS = 2000;

export class FramePace {
  #drawnMs = -1;
  #restUntilMs = -1;
  #slowOnes = 0;
  #frugal: boolean;
  readonly #slowMs: number;
  readonly #apartMs: number;

  /** `software`: the processor draws what a graphics card should; `rate`: most pictures in a second. */
  constructor(software = false, rate = Infinity) {
    this.#frugal = software;
    this.#slowMs = software ? SLOW_IN_SOFTWARE_MS : SLOW_MS;
    this.#apartMs = 1000 / rate;
  }

  /** True where pictures are so slow that shadows wait. Stays so: without shadows the machine only looks faster. */
  get frugal(): boolean {
    return this.#frugal;
  }

  /** Note the beginning of a frame of the page; return whether a picture may be drawn in it. */
  begins(nowMs: number): boolean {
    if (this.#drawnMs >= 0) {
      this.#note(nowMs - this.#drawnMs, nowMs);
      this.#drawnMs = -1;
    }
    return nowMs >= this.#restUntilMs;
  }

  /** Note that a picture was drawn in the frame that began at `nowMs`; the next frame shows how long it took. */
  drawn(nowMs: number): void {
    this.#drawnMs = nowMs;
    if (this.#apartMs > 0) this.#rest(nowMs + this.#apartMs);
  }

  #rest(untilMs: number): void {
    this.#restUntilMs = Math.max(this.#restUntilMs, untilMs);
  }

  #note(tookMs: number, nowMs: number): void {
    if (tookMs < this.#slowMs || tookMs > NOT_DRAWING_MS) {
      this.#slowOnes = 0;
      return;
    }
    this.#rest(nowMs + tookMs);
    this.#slowOnes++;
    this.#frugal ||= this.#slowOnes >= SLOW_IN_A_ROW;
  }
}
