/** A clock for tests: time passes only when a test advances it. */

import type { FrameClock } from "./glide";

export class FakeClock implements FrameClock {
  calm = false;
  #now = 0;
  #nextHandle = 1;
  readonly #waiting = new Map<number, (frameMs: number) => void>();

  nowMs(): number {
    return this.#now;
  }

  next(callback: (frameMs: number) => void): number {
    this.#waiting.set(this.#nextHandle, callback);
    return this.#nextHandle++;
  }

  cancel(handle: number): void {
    this.#waiting.delete(handle);
  }

  /** Let time pass, frame by frame. */
  advance(ms: number, frameMs = 10): void {
    for (let passed = 0; passed < ms; passed += frameMs) {
      this.#now += frameMs;
      const due = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const callback of due) callback(this.#now);
    }
  }

  get idle(): boolean {
    return this.#waiting.size === 0;
  }
}
