import { describe, expect, it } from "vitest";
import type { RobotInfo, RobotSummary } from "../../wire/generated";
import type { RawSocket } from "../../wire/reconnecting-socket";
import { RequestError } from "../../wire/rest";
import { FakeClock } from "../shared/fake-clock";
import { Session } from "./session";

class QuietSocket implements RawSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  send(): void {
    // Nobody listens.
  }
  close(): void {
    // Never opened.
  }
}

const summary = (name: string): RobotSummary => ({
  name,
  title: name.toUpperCase(),
  maker: "",
  summary: "",
  kind: "mobile",
  axes: 3,
  imported: false,
});

const robot = (name: string): RobotInfo => ({
  name,
  title: name.toUpperCase(),
  maker: "",
  summary: "",
  convention: "plain",
  inputs: { names: [], ranges: [], example: "" },
  outputs: { names: [], ranges: [], example: "" },
  root: "floor",
  urdf: "",
  arms: [],
  platform: null,
  payload_kg: null,
  reach_m: null,
  notes: [],
  sources: [],
});

function harness(address = "") {
  const world = { address, up: true, fetched: [] as string[] };
  const sockets: QuietSocket[] = [];
  const session = new Session({
    makeSocket: () => {
      const socket = new QuietSocket();
      sockets.push(socket);
      return socket;
    },
    fetchRobots: () =>
      world.up
        ? Promise.resolve([summary("one"), summary("two")])
        : Promise.reject(new RequestError("The server does not respond.", true)),
    fetchRobot: (name) => {
      world.fetched.push(name);
      return name === "one" || name === "two"
        ? Promise.resolve(robot(name))
        : Promise.reject(new RequestError(`no robot named '${name}'`, false));
    },
    clock: new FakeClock(),
    readAddress: () => world.address,
    writeAddress: (name) => (world.address = name),
  });
  return { session, world, sockets };
}

function shownName(session: Session): string | null {
  return session.shown.value.state === "ready" ? session.shown.value.robot.info.name : null;
}

describe("Session", () => {
  it("shows the first robot, or the one that the address names", async () => {
    const first = harness();
    await first.session.start();
    expect(shownName(first.session)).toBe("one");
    expect(first.world.address).toBe("one");
    const named = harness("two");
    await named.session.start();
    expect(shownName(named.session)).toBe("two");
    first.session.dispose();
    named.session.dispose();
  });

  it("says in the server's words why a robot cannot be shown, and shows the next one all the same", async () => {
    const { session } = harness("ur3");
    await session.start();
    expect(session.shown.value).toMatchObject({ state: "failed", message: "no robot named 'ur3'" });
    await session.choose("two");
    expect(shownName(session)).toBe("two");
    session.dispose();
  });

  it("asks for a robot once, however often it is chosen", async () => {
    const { session, world } = harness();
    await session.start();
    await Promise.all([session.choose("two"), session.choose("two")]);
    await session.choose("two");
    expect(world.fetched).toEqual(["one", "two"]);
    session.dispose();
  });

  it("shows only the robot that was chosen last", async () => {
    const { session } = harness();
    await session.start();
    const slow = session.choose("two");
    const fast = session.choose("one");
    await Promise.all([slow, fast]);
    expect(shownName(session)).toBe("one");
    session.dispose();
  });

  it("loads what it missed when the server comes back", async () => {
    const { session, world, sockets } = harness();
    world.up = false;
    await session.start();
    expect(session.catalogue.value).toMatchObject({ state: "failed" });
    world.up = true;
    sockets[0]?.onopen?.(undefined as never);
    expect(session.link.value).toBe("open");
    await new Promise<void>((resolve) => {
      session.shown.subscribe(({ state }) => {
        if (state === "ready") resolve();
      });
    });
    expect(shownName(session)).toBe("one");
    session.dispose();
  });
});
