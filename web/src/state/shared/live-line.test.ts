import { expect, it, vi } from "vitest";
import type { RawSocket } from "../../wire/reconnecting-socket";
import { LiveLine } from "./live-line";

it("connects only once somebody needs it, and tells how it is", () => {
  const made: RawSocket[] = [];
  const make = (): RawSocket => {
    const socket: RawSocket = { onopen: null, onmessage: null, onclose: null, send: vi.fn(), close: vi.fn() };
    made.push(socket);
    return socket;
  };
  const line = new LiveLine(make);
  line.again();
  expect(made).toEqual([]);
  line.start();
  expect(line.link.value).toBe("connecting");
  made[0]?.onopen?.({} as never);
  expect(line.link.value).toBe("open");
  made[0]?.onclose?.({} as never);
  expect(line.link.value).toBe("waiting");
  line.again();
  expect(made).toHaveLength(2);
  made[1]?.onopen?.({} as never);
  const failed = { type: "failed", id: null, message: "no robot of that name", said: null };
  made[1]?.onmessage?.({ data: JSON.stringify(failed) } as MessageEvent<unknown>);
  expect(line.complaint.value).toBe("no robot of that name");
  line.live.dispose();
});
