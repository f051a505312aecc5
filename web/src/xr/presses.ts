/**
 * Presses: which elements of a panel hands point at and hold. An element has three looks: at rest, lit while a hand's ray
 * is on it, held from the press until that hand lets go. It acts on release inside; a hand that goes away acts on nothing.
 */

export type Side = "left" | "right";
export type Look = "rest" | "lit" | "held";

export class Presses {
  readonly #over = new Map<Side, string>();
  readonly #held = new Map<Side, string>();

  /** The hand's ray is on this element; null: on none. Return whether that is a change. */
  point(side: Side, id: string | null): boolean {
    const before = this.#over.get(side) ?? null;
    if (id === null) this.#over.delete(side);
    else this.#over.set(side, id);
    return id !== before;
  }

  /** The hand closes; return the element that it holds from now on. */
  press(side: Side): string | null {
    const id = this.#over.get(side);
    if (id === undefined) return null;
    this.#held.set(side, id);
    return id;
  }

  /** The hand opens; return what it held, and whether it was still there. */
  release(side: Side): { readonly id: string; readonly inside: boolean } | null {
    const id = this.#held.get(side);
    this.#held.delete(side);
    return id === undefined ? null : { id, inside: this.#over.get(side) === id };
  }

  /** The hand is gone, or the panel is hidden: nothing stays lit. Return what it held. */
  leave(side: Side): string | null {
    const id = this.#held.get(side) ?? null;
    this.#held.delete(side);
    this.#over.delete(side);
    return id;
  }

  /** What a hand holds; null: nothing. */
  heldBy(side: Side): string | null {
    return this.#held.get(side) ?? null;
  }

  look(id: string): Look {
    for (const held of this.#held.values()) if (held === id) return "held";
    for (const over of this.#over.values()) if (over === id) return "lit";
    return "rest";
  }
}
