/**
 * FrameSource: whose frames the page lives by. While a headset shows the cell, the window draws no frames: those of the
 * headset take their place, and whoever waits for the next one gets it from there.
 */

type Callback = (frameMs: number) => void;

/** What a window does for it. */
export interface WindowFrames {
  request(callback: Callback): number;
  cancel(handle: number): void;
}

export class FrameSource {
  readonly #waiting = new Map<number, Callback>();
  #last = 0;
  #asked: number | null = null;
  #driven = false;

  constructor(private readonly frames: WindowFrames) {}

  /** Call back once, in the next frame. */
  next(callback: Callback): number {
    this.#waiting.set(++this.#last, callback);
    this.#ask();
    return this.#last;
  }

  cancel(handle: number): void {
    this.#waiting.delete(handle);
  }

  /** Frames come from `run` alone from now on, or from the window again. */
  drive(driven: boolean): void {
    if (driven === this.#driven) return;
    this.#driven = driven;
    if (this.#asked !== null) this.frames.cancel(this.#asked);
    this.#asked = null;
    this.#ask();
  }

  /** A frame has begun: whoever waits now is called; who asks meanwhile waits for the next one. */
  run(frameMs: number): void {
    const now = [...this.#waiting];
    for (const [handle, callback] of now) if (this.#waiting.delete(handle)) callback(frameMs);
  }

  #ask(): void {
    if (this.#driven || this.#asked !== null || this.#waiting.size === 0) return;
    this.#asked = this.frames.request((frameMs) => {
      this.#asked = null;
      try {
        this.run(frameMs);
      } finally {
        // Where one of them fails, the others come in the next frame.
        this.#ask();
      }
    });
  }
}

/** The page's own; its window, or the headset that shows it. */
export const pageFrames = new FrameSource({
  request: (callback) => requestAnimationFrame(callback),
  cancel: (handle) => cancelAnimationFrame(handle),
});
