/**
 * Asking without queueing: of each kind at most one question is under way. A wish that comes
 * meanwhile waits, and a newer one takes its place; when the answer is there, the newest goes out.
 */

export interface Pending<Q, A> {
  /** Makes the question; called when it really goes out, so that it carries the newest state. */
  readonly question: () => Q;
  readonly answered: (answer: A, roundTripMs: number) => void;
  /** There will be no answer: something newer took its place, or nobody wants it any more. */
  readonly dropped?: () => void;
}

interface Lane<Q, A> {
  /** `pending` is null where nobody wants the answer any more. */
  underWay: { readonly id: number; readonly sentMs: number; pending: Pending<Q, A> | null } | null;
  waiting: Pending<Q, A> | null;
}

export class NewestOnly<Q, A> {
  readonly #lanes = new Map<string, Lane<Q, A>>();
  #nextId = 1;

  /**
   * @param send Sends a question under an id; returns false where that is not possible now.
   * @param nowMs A monotonic clock.
   */
  constructor(
    private readonly send: (id: number, question: Q) => boolean,
    private readonly nowMs: () => number,
  ) {}

  /** Ask, or replace what waits in this lane. */
  ask(lane: string, pending: Pending<Q, A>): void {
    const state = this.#lane(lane);
    const replaced = state.waiting;
    state.waiting = pending;
    replaced?.dropped?.();
    this.#pump(state);
  }

  /** Forget what waits in this lane, and ignore the answer to what is under way. */
  cancel(lane: string): void {
    const state = this.#lane(lane);
    const forgotten = [state.underWay?.pending, state.waiting];
    state.waiting = null;
    if (state.underWay !== null) state.underWay.pending = null;
    for (const pending of forgotten) pending?.dropped?.();
  }

  /** Take in the answer to the question `id`; answers to forgotten questions are ignored. */
  answer(id: number, answer: A): void {
    for (const state of this.#lanes.values()) {
      const done = state.underWay;
      if (done?.id !== id) continue;
      state.underWay = null;
      done.pending?.answered(answer, this.nowMs() - done.sentMs);
      this.#pump(state);
      return;
    }
  }

  /** The link was lost and is back: ask again what had no answer, unless something newer waits. */
  restart(): void {
    for (const state of this.#lanes.values()) {
      state.waiting ??= state.underWay?.pending ?? null;
      state.underWay = null;
      this.#pump(state);
    }
  }

  /** True where no question is under way and none waits. */
  get idle(): boolean {
    for (const state of this.#lanes.values()) {
      if (state.underWay !== null || state.waiting !== null) return false;
    }
    return true;
  }

  #lane(name: string): Lane<Q, A> {
    let state = this.#lanes.get(name);
    if (state === undefined) {
      state = { underWay: null, waiting: null };
      this.#lanes.set(name, state);
    }
    return state;
  }

  #pump(state: Lane<Q, A>): void {
    if (state.underWay !== null || state.waiting === null) return;
    const pending = state.waiting;
    const id = this.#nextId++;
    if (!this.send(id, pending.question())) return;
    state.waiting = null;
    state.underWay = { id, sentMs: this.nowMs(), pending };
  }
}
