import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { backOff, type RawSocket, ReconnectingSocket } from "./reconnecting-socket";

class FakeSocket implements RawSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  readonly sent: string[] = [];
  closed = false;
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
  open(): void {
    this.onopen?.(undefined as never);
  }
  drop(): void {
    this.onclose?.(undefined as never);
  }
}

function harness() {
  const made: FakeSocket[] = [];
  const log: string[] = [];
  const socket = new ReconnectingSocket(
    () => {
      const raw = new FakeSocket();
      made.push(raw);
      return raw;
    },
    {
      opened: () => log.push("opened"),
      received: (text) => log.push(`got ${text}`),
      statusChanged: (status) => log.push(status),
    },
  );
  const last = (): FakeSocket => {
    const raw = made.at(-1);
    if (raw === undefined) throw new Error("no socket was made");
    return raw;
  };
  return { made, log, socket, last };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("ReconnectingSocket", () => {
  it("passes on what it receives and sends only while open", () => {
    const { socket, last, log } = harness();
    expect(socket.send("early")).toBe(false);
    socket.connect();
    expect(socket.send("early")).toBe(false);
    last().open();
    expect(socket.send("now")).toBe(true);
    last().onmessage?.({ data: "hello" } as MessageEvent<unknown>);
    expect(last().sent).toEqual(["now"]);
    expect(log).toEqual(["open", "opened", "got hello"]);
  });

  it("waits longer after each failed try and starts over once it was open", () => {
    const { socket, last, made } = harness();
    socket.connect();
    for (const attempt of [0, 1, 2]) {
      last().drop();
      expect(socket.status).toBe("waiting");
      vi.advanceTimersByTime(backOff(attempt) - 1);
      expect(made.length).toBe(attempt + 1);
      vi.advanceTimersByTime(1);
      expect(made.length).toBe(attempt + 2);
    }
    last().open();
    last().drop();
    vi.advanceTimersByTime(backOff(0));
    expect(made.length).toBe(5);
  });

  it("gives up a try that neither opens nor fails", () => {
    const { socket, last, made } = harness();
    socket.connect();
    vi.advanceTimersByTime(5000);
    expect(last().closed).toBe(true);
    expect(socket.status).toBe("waiting");
    vi.advanceTimersByTime(backOff(0));
    expect(made.length).toBe(2);
  });

  it("tries at once when told to, and only once", () => {
    const { socket, last, made } = harness();
    socket.connect();
    last().drop();
    socket.connect();
    socket.connect();
    vi.advanceTimersByTime(1000);
    expect(made.length).toBe(2);
  });

  it("ignores a socket that it has given up", () => {
    const { socket, made, log } = harness();
    socket.connect();
    made[0]?.drop();
    socket.connect();
    made[0]?.open();
    made[0]?.onmessage?.({ data: "ghost" } as MessageEvent<unknown>);
    expect(socket.status).toBe("connecting");
    expect(log).not.toContain("got ghost");
  });

  it("stays closed after dispose", () => {
    const { socket, last, made } = harness();
    socket.connect();
    last().open();
    socket.dispose();
    last().drop();
    vi.advanceTimersByTime(60_000);
    expect(made.length).toBe(1);
    expect(last().closed).toBe(true);
  });

  it("never waits longer than four seconds", () => {
    expect(backOff(0)).toBe(250);
    expect(backOff(3)).toBe(2000);
    expect(backOff(50)).toBe(4000);
  });
});
