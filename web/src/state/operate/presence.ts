/**
 * Presence: while this page leads something that moves, it says so several times a second, from its animation frame.
 * A page that hangs, or that nobody sees, draws no frames: the server then stops what it leads, as intended.
 */

import type { FromClient, Operating } from "../../wire/studio";
import { browserClock, type FrameClock } from "../shared/glide";
import { isUnderWay } from "./operator";
import { stampOf } from "./jog";
import { type Readable, Store } from "../shared/store";

/** Well below the 1.5 s after which the server takes the person to be gone. */
export const PRESENT_MS = 150;
/** Silent for this long while something moved: if it rests now, that is why. */
const SILENT_MS = 1200;

export interface PresenceParts {
  readonly now: Readable<Operating>;
  /** What is jogged; null: nothing. */
  readonly held: Readable<string | null>;
  readonly client: () => string;
  readonly send: (message: FromClient) => boolean;
}

export class Presence {
  /** True where this page was hidden or hung while it led something, until it leads again or somebody has read it. */
  readonly missed = new Store(false);
  #frame: number | null = null;
  #lastMs = 0;
  readonly #leaving: (() => void)[];

  constructor(
    private readonly parts: PresenceParts,
    private readonly clock: FrameClock = browserClock,
  ) {
    this.#leaving = [parts.now.subscribe(() => this.#update()), parts.held.subscribe(() => this.#update())];
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    this.#rest();
  }

  #update(): void {
    const { now, held, client } = this.parts;
    if (held.value !== null || leads(now.value, client())) this.#begin();
    else this.#rest();
  }

  #begin(): void {
    if (this.#frame !== null) return;
    this.missed.set(false);
    this.#lastMs = this.clock.nowMs() - PRESENT_MS;
    this.#frame = this.clock.next((frameMs) => this.#sendPresence(frameMs));
  }

  #sendPresence(frameMs: number): void {
    this.#frame = this.clock.next((next) => this.#sendPresence(next));
    if (frameMs - this.#lastMs < PRESENT_MS) return;
    if (frameMs - this.#lastMs > SILENT_MS) this.missed.set(true);
    this.#lastMs = frameMs;
    this.parts.send({ type: "present", stamp_ns: stampOf(frameMs) });
  }

  #rest(): void {
    if (this.#frame === null) return;
    this.clock.cancel(this.#frame);
    this.#frame = null;
    if (this.clock.nowMs() - this.#lastMs > SILENT_MS) this.missed.set(true);
  }
}

/** True where this client has control of a robot that moves, or has begun a run that has not ended. */
export function leads({ robots, run }: Operating, client: string): boolean {
  if (isUnderWay(run) && run?.by === client) return true;
  return robots.some(({ holder, moving }) => holder === client && (moving || isUnderWay(run)));
}
