/**
 * A seat: who this page is among the people of a project. Every tab has its own, also two tabs of one browser, so that
 * each undoes what was done in it; a tab keeps its seat when it is loaded again, and one that is closed leaves it to
 * the next that is opened.
 *
 * While a page lives its seat is written nowhere, since a browser copies what it remembers into a duplicated tab.
 */

import type { Memory } from "./preferences";

/** Memory that can forget. */
export interface SeatMemory extends Memory {
  removeItem(key: string): void;
}

const OWN = "openpendant.seat";
const FREE = "openpendant.seats";
/** Seats of tabs that were closed; older ones are forgotten. */
const MOST_FREE = 8;

export class Seat {
  /** Unique for this tab. */
  readonly client: string;

  constructor(
    private readonly tab: SeatMemory,
    private readonly browser: Memory,
    makeName: () => string = randomName,
  ) {
    const own = quietly(() => tab.getItem(OWN)) ?? "";
    const free = readFree(browser);
    this.client = own !== "" ? own : (free.at(-1) ?? makeName());
    this.#settle();
  }

  /** The page goes away: leave the seat to itself reloaded, or to the next tab. */
  leave(): void {
    quietly(() => this.tab.setItem(OWN, this.client));
    writeFree(this.browser, [...readFree(this.browser).filter((one) => one !== this.client), this.client]);
  }

  /** The page comes back as it was; return false where another tab has the seat by now. */
  comeBack(): boolean {
    const free = readFree(this.browser).includes(this.client);
    if (free) this.#settle();
    return free;
  }

  #settle(): void {
    quietly(() => this.tab.removeItem(OWN));
    writeFree(
      this.browser,
      readFree(this.browser).filter((one) => one !== this.client),
    );
  }
}

function readFree(browser: Memory): readonly string[] {
  const kept: unknown = quietly(() => JSON.parse(browser.getItem(FREE) ?? "[]") as unknown);
  return Array.isArray(kept)
    ? kept.filter((one): one is string => typeof one === "string" && one !== "")
    : [];
}

function writeFree(browser: Memory, seats: readonly string[]): void {
  quietly(() => browser.setItem(FREE, JSON.stringify(seats.slice(-MOST_FREE))));
}

/** Memory may be forbidden, full or damaged; then a tab has a seat for this visit only. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

function randomName(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
