/** Store: a value that tells its listeners when it changes. Svelte reads it as `$store`. */

export interface Readable<T> {
  readonly value: T;
  /** Call `listener` now and after every change; return how to stop. */
  subscribe(listener: (value: T) => void): () => void;
}

export class Store<T> implements Readable<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  subscribe(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    listener(this.#value);
    return () => this.#listeners.delete(listener);
  }
}

/** Listen to changes only, not to the present value. */
export function onChange<T>(store: Readable<T>, listener: (value: T) => void): () => void {
  let first = true;
  return store.subscribe((value) => {
    if (first) first = false;
    else listener(value);
  });
}
