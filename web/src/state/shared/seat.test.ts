import { describe, expect, it } from "vitest";
import { Seat, type SeatMemory } from "./seat";

class FakeMemory implements SeatMemory {
  constructor(readonly kept = new Map<string, string>()) {}

  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }

  removeItem(key: string): void {
    this.kept.delete(key);
  }

  /** As a browser does for a duplicated tab. */
  copy(): FakeMemory {
    return new FakeMemory(new Map(this.kept));
  }
}

function numbered(): () => string {
  let count = 0;
  return () => `seat ${++count}`;
}

describe("Seat", () => {
  it("is another one in every tab, also in one that was duplicated", () => {
    const browser = new FakeMemory();
    const tab = new FakeMemory();
    const name = numbered();
    const first = new Seat(tab, browser, name);
    expect(new Seat(new FakeMemory(), browser, name).client).not.toBe(first.client);
    expect(new Seat(tab.copy(), browser, name).client).not.toBe(first.client);
  });

  it("is the same when the tab is loaded again, and no other tab gets it then", () => {
    const browser = new FakeMemory();
    const tab = new FakeMemory();
    const name = numbered();
    const before = new Seat(tab, browser, name);
    before.leave();
    const after = new Seat(tab, browser, name);
    expect(after.client).toBe(before.client);
    expect(new Seat(new FakeMemory(), browser, name).client).not.toBe(before.client);
  });

  it("goes to the next tab when its own was closed", () => {
    const browser = new FakeMemory();
    const name = numbered();
    const closed = new Seat(new FakeMemory(), browser, name);
    closed.leave();
    expect(new Seat(new FakeMemory(), browser, name).client).toBe(closed.client);
  });

  it("is taken again by a page that comes back as it was, unless another has it by now", () => {
    const browser = new FakeMemory();
    const tab = new FakeMemory();
    const name = numbered();
    const seat = new Seat(tab, browser, name);
    seat.leave();
    expect(seat.comeBack()).toBe(true);
    expect(tab.kept.size).toBe(0);
    seat.leave();
    const other = new Seat(new FakeMemory(), browser, name);
    expect(other.client).toBe(seat.client);
    expect(seat.comeBack()).toBe(false);
  });

  it("is there also where nothing may be remembered", () => {
    const forbidden: SeatMemory = {
      getItem: () => {
        throw new Error("forbidden");
      },
      setItem: () => {
        throw new Error("forbidden");
      },
      removeItem: () => {
        throw new Error("forbidden");
      },
    };
    const seat = new Seat(forbidden, forbidden, numbered());
    expect(seat.client).toBe("seat 1");
    seat.leave();
  });
});
