import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { InverseReply } from "./generated";
import { type InverseQuestion, Live } from "./live";
import type { RawSocket } from "./reconnecting-socket";
import { PROTOCOL } from "./studio";

class FakeSocket implements RawSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  readonly sent: { readonly id: number; readonly type: string }[] = [];
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { id: number; type: string });
  }
  close(): void {
    // The server's side closes it.
  }
}

const question: InverseQuestion = {
  type: "inverse",
  robot: "robot",
  arm: "arm",
  pose: { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] },
  frame: "tool0",
  base: "base_link",
  seed: [0],
};

function harness() {
  const sockets: FakeSocket[] = [];
  const said: string[] = [];
  const live = new Live(
    () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    {
      statusChanged: () => undefined,
      failed: (message) => said.push(typeof message === "string" ? message : message.code),
      slowChanged: (slow) => said.push(slow ? "slow" : "quick"),
    },
  );
  const events: string[] = [];
  const wish = (): void =>
    live.inverse(
      () => question,
      () => events.push("answered"),
      () => events.push("dropped"),
    );
  const open = (): FakeSocket => {
    live.connect();
    const socket = sockets.at(-1);
    if (socket === undefined) throw new Error("no socket");
    socket.onopen?.(undefined as never);
    said.length = 0;
    return socket;
  };
  const answer = (socket: FakeSocket, message: Partial<InverseReply> | object): void =>
    socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<unknown>);
  return { live, sockets, said, events, wish, open, answer };
}

describe("Live", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("gives a wish up when the link is lost, so that nothing moves when it is back", () => {
    const { live, sockets, events, wish, open } = harness();
    const socket = open();
    wish();
    expect(socket.sent.length).toBe(1);
    socket.onclose?.(undefined as never);
    expect(events).toEqual(["dropped"]);
    wish();
    expect(events).toEqual(["dropped", "dropped"]);
    vi.advanceTimersByTime(300);
    const next = sockets.at(-1);
    next?.onopen?.(undefined as never);
    expect(next?.sent).toEqual([]);
    expect(live.idle).toBe(true);
  });

  it("drops a wish that the server refuses, with its words", () => {
    const { said, events, wish, open, answer } = harness();
    const socket = open();
    wish();
    answer(socket, { type: "failed", id: 1, message: "not a unit quaternion" });
    expect(events).toEqual(["dropped"]);
    expect(said).toContain("not a unit quaternion");
  });

  it("says when the server lets a question wait, and when it answers again", () => {
    const { said, wish, open, answer } = harness();
    const socket = open();
    wish();
    vi.advanceTimersByTime(1400);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(said).toEqual(["slow"]);
    answer(socket, { type: "inverse", id: 1 });
    expect(said).toEqual(["slow", "quick"]);
    vi.advanceTimersByTime(5000);
    expect(said).toEqual(["slow", "quick"]);
  });

  it("takes nothing more from a server of another protocol, and says so", () => {
    const { sockets, said, events, wish, open, answer } = harness();
    const socket = open();
    answer(socket, { type: "greeting", protocol: PROTOCOL });
    expect(said).toEqual([]);
    answer(socket, { type: "greeting", protocol: PROTOCOL + 1 });
    expect(said).toContain("server.other_protocol");
    wish();
    expect(events).toEqual(["dropped"]);
    socket.onclose?.(undefined as never);
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
  });
});
