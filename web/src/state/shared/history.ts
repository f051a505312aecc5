/** History: undo and redo of a value. Changes of the same kind that follow at once count as one. */

import { Store } from "./store";

const LONGEST = 200;
const SAME_GESTURE_MS = 600;

export class History<T> {
  readonly canUndo = new Store(false);
  readonly canRedo = new Store(false);
  readonly #past: T[] = [];
  readonly #future: T[] = [];
  #lastKind = "";
  #lastMs = -Infinity;
  #held = false;

  constructor(
    private readonly read: () => T,
    private readonly write: (value: T) => void,
    private readonly nowMs: () => number,
  ) {}

  /**
   * Call before a change. `kind` tells which changes belong together, for example a joint's name; `live` that the person
   * still drags: what follows is the same gesture, however long it takes.
   */
  record(kind: string, live = false): void {
    const now = this.nowMs();
    const same = kind === this.#lastKind && (this.#held || now - this.#lastMs < SAME_GESTURE_MS);
    this.#held = live;
    this.#lastKind = kind;
    this.#lastMs = now;
    if (same) return;
    this.#past.push(this.read());
    if (this.#past.length > LONGEST) this.#past.shift();
    this.#future.length = 0;
    this.#publish();
  }

  /** The person has let go: what follows is another gesture, unless it follows at once. */
  end(): void {
    this.#held = false;
  }

  /** Forget everything. */
  clear(): void {
    this.#past.length = 0;
    this.#future.length = 0;
    this.#lastKind = "";
    this.#publish();
  }

  undo(): void {
    this.#swap(this.#past, this.#future);
  }

  redo(): void {
    this.#swap(this.#future, this.#past);
  }

  #swap(from: T[], to: T[]): void {
    const value = from.pop();
    if (value === undefined) return;
    to.push(this.read());
    this.#lastKind = "";
    this.write(value);
    this.#publish();
  }

  #publish(): void {
    this.canUndo.set(this.#past.length > 0);
    this.canRedo.set(this.#future.length > 0);
  }
}
