/** ControlNews: who asks this person for control, and who has taken it from them; told in every mode. */

import type { Operating } from "../../wire/studio";
import { Store } from "../shared/store";

export interface ControlAsked {
  readonly robot: string;
  /** Who asks. */
  readonly client: string;
}

export interface ControlLost {
  readonly robot: string;
  /** Who has it now. */
  readonly to: string;
}

export class ControlNews {
  /** Requests that were neither answered nor put off. */
  readonly asked = new Store<readonly ControlAsked[]>([]);
  /** Control that somebody has taken over from this person last; null: none, or it was read. */
  readonly lost = new Store<ControlLost | null>(null);
  #held: readonly string[] = [];
  #putOff: readonly ControlAsked[] = [];

  constructor(
    private readonly client: () => string,
    /** To whom this person has given control of a robot last. */
    private readonly gaveTo: (robot: string) => string | undefined,
  ) {}

  /** Follow what the server says of the robots. */
  take({ robots }: Operating): void {
    const me = this.client();
    for (const { name, holder } of robots) {
      if (holder === me && this.lost.value?.robot === name) this.lost.set(null);
      if (this.#held.includes(name) && holder !== me && holder !== "" && this.gaveTo(name) !== holder)
        this.lost.set({ robot: name, to: holder });
    }
    const mine = robots.filter(({ holder }) => holder === me);
    this.#held = mine.map(({ name }) => name);
    const all = mine.flatMap(({ name, asking }) =>
      asking.filter((client) => client !== me).map((client) => ({ robot: name, client })),
    );
    // Who asks again after an answer is heard again.
    this.#putOff = this.#putOff.filter((one) => all.some((other) => isSame(one, other)));
    this.#show(all);
  }

  /** Not now: the request stays in the panel of the robot. */
  putOff(one: ControlAsked): void {
    this.#putOff = [...this.#putOff, one];
    this.#show(this.asked.value);
  }

  #show(all: readonly ControlAsked[]): void {
    const shown = all.filter((one) => !this.#putOff.some((other) => isSame(one, other)));
    const before = this.asked.value;
    if (shown.length !== before.length || !shown.every((one, i) => isSame(one, before[i])))
      this.asked.set(shown);
  }
}

const isSame = (one: ControlAsked, other: ControlAsked | undefined): boolean =>
  one.robot === other?.robot && one.client === other.client;
