/** SwitchedTarget: what a device drives depends on where the person is; what it no longer drives is let go of. */

import { onChange, Store } from "../state/shared/store";
import type { Wish } from "./mapping";
import type { Target } from "./pilot";

export class SwitchedTarget implements Target {
  readonly ended = new Store(0);
  #now: Target | null = null;
  readonly #leaving: (() => void)[];

  constructor(
    targets: readonly Target[],
    /** Of the targets; null: none. */
    private readonly choose: () => Target | null,
  ) {
    this.#leaving = targets.map((target) => onChange(target.ended, () => this.#end()));
  }

  follow(wish: Wish): void {
    const next = this.choose();
    if (next !== this.#now) {
      this.#now?.letGo();
      this.#now = next;
      // What was held for the one is not held for the other.
      this.#end();
      return;
    }
    next?.follow(wish);
  }

  letGo(): void {
    this.#now?.letGo();
  }

  dispose(): void {
    this.letGo();
    for (const leave of this.#leaving) leave();
  }

  #end(): void {
    this.ended.set(this.ended.value + 1);
  }
}
