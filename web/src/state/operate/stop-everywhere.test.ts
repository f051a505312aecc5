import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProjectInfo } from "../../wire/generated";
import type { RawSocket } from "../../wire/reconnecting-socket";
import { StopEverywhere } from "./stop-everywhere";

class Line implements RawSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  readonly sent: string[] = [];
  closed = false;

  constructor(readonly url: string) {}

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }
}

const project = (id: string, running: readonly string[]): ProjectInfo => ({
  id,
  title: id.toUpperCase(),
  robots: ["ur3e"],
  programs: [],
  changed_s: 0,
  running,
  stop_url: `ws://127.0.0.1:9/stop/${id}`,
});

function harness() {
  const lines: Line[] = [];
  const everywhere = new StopEverywhere(
    () => ({ client: "seat", name: "Ann" }),
    (url) => {
      const line = new Line(url);
      lines.push(line);
      return line;
    },
  );
  const open = () => {
    for (const line of lines) line.onopen?.(undefined as never);
  };
  return { everywhere, lines, open };
}

describe("StopEverywhere", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("stops the robots of every project that runs, in the name of the person, and says of which each is", () => {
    const { everywhere, lines, open } = harness();
    everywhere.follow([project("a", ["ur3e"]), project("b", []), project("c", ["ur3e"])]);
    open();
    expect(lines.map(({ url }) => url)).toEqual([
      "ws://127.0.0.1:9/stop/a?client=seat&name=Ann",
      "ws://127.0.0.1:9/stop/c?client=seat&name=Ann",
    ]);
    expect(everywhere.stop("press")).toBe(true);
    for (const line of lines) expect(line.sent).toEqual(['{"type":"stop","id":1,"press":"press"}']);
    for (const line of lines) {
      const robots = [{ robot: "ur3e", reached: true, rest_ms: 40, distance_mm: 3, reason: "" }];
      line.onmessage?.(
        new MessageEvent("message", {
          data: JSON.stringify({ type: "stopped", id: 1, by: "seat", robots, cancelled: "" }),
        }),
      );
    }
    expect(everywhere.news.lines.value.map(({ words }) => words)).toEqual([
      "A: ur3e at rest after 40 ms, 3 mm.",
      "C: ur3e at rest after 40 ms, 3 mm.",
    ]);
    everywhere.dispose();
  });

  it("lets go of a project whose robots run no more; then there is nothing to stop", () => {
    const { everywhere, lines, open } = harness();
    everywhere.follow([project("a", ["ur3e"])]);
    open();
    everywhere.follow([project("a", [])]);
    expect(lines[0]?.closed).toBe(true);
    expect(everywhere.stop("press")).toBe(false);
    expect(everywhere.news.lines.value).toEqual([]);
  });

  it("stops over a line that opens only just after, and alarms where none does", () => {
    const { everywhere, lines, open } = harness();
    everywhere.follow([project("a", ["ur3e"])]);
    expect(everywhere.stop("late")).toBe(true);
    open();
    vi.advanceTimersByTime(100);
    expect(lines[0]?.sent).toHaveLength(1);
    expect(everywhere.news.lines.value).toEqual([]);
    vi.advanceTimersByTime(2000);
    expect(everywhere.news.lines.value[0]?.level, "no answer").toBe("alert");
    everywhere.dispose();
  });
});
