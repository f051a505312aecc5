import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProjectRequest } from "../../wire/project-socket";
import type { Event, FromClient, Operating, RobotStatus, RunStatus } from "../../wire/studio";
import { FakeClock } from "../shared/fake-clock";
import { OFF, Operation } from "./operator";
import { jointCommand, toolCommand } from "./jog";

const ROBOT: RobotStatus = {
  type: "robot",
  name: "ur",
  how: "virtual",
  address: "127.0.0.20",
  panel: "",
  connected: true,
  ready: true,
  reason: "",
  mode: "ready",
  safety: "normal",
  moving: false,
  holder: "",
  asking: [],
  inputs: {},
  outputs: {},
  openings: {},
  late_ms: 0,
};
const ON: Operating = { ...OFF, state: "on", robots: [ROBOT], layout: [["ur/arm", 2]] };
const RUN: RunStatus = {
  type: "run status",
  program: "pick",
  mode: "streamed",
  status: "running",
  message: "",
  step: "s1",
  by: "me",
  speed: 1,
};

function made(answer: (question: ProjectRequest) => boolean = () => true) {
  const asked: ProjectRequest[] = [];
  const told: FromClient[] = [];
  let now = 0;
  let open = true;
  const pictures: (() => void)[] = [];
  const clock = new FakeClock();
  const operation = new Operation(
    {
      act: (question) => {
        asked.push(question);
        return Promise.resolve(answer(question));
      },
      send: (message) => {
        if (open) told.push(message);
        return open;
      },
      probe: () => Promise.resolve([]),
    },
    () => now,
    (show) => pictures.push(show),
    clock,
  );
  operation.take(ON);
  const draw = (): void => pictures.splice(0).forEach((show) => show());
  return {
    operation,
    draw,
    clock,
    asked,
    told,
    pass: (ms: number) => (now += ms),
    breakLink: () => (open = false),
  };
}

const frame = (...values: number[]): ArrayBuffer => {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  values.forEach((value, i) => view.setFloat64(8 * i, value, true));
  return view.buffer;
};

const event = (number: number): Event => ({
  type: "event",
  number,
  robot: "ur",
  time_s: 0,
  kind: "mode",
  about: "",
  message: "ready",
});

describe("Operation", () => {
  it("reads joints in the order of the layout, and not what does not fit it", () => {
    const { operation, draw } = made();
    operation.frame(frame(0, 7, 7, 7, 7));
    operation.frame(frame(1, 10, 10, NaN, NaN, 0.1, 0.2, 0.1, 0.3));
    expect(operation.joints.value).toEqual({});
    draw();
    const apart = [0, expect.closeTo(0.1)];
    expect(operation.arm("ur", "arm")).toEqual({ measured: [0.1, 0.2], sent: [0.1, 0.3], apart });
    operation.frame(frame(2, 9, 9));
    draw();
    expect(operation.arm("ur", "arm")?.measured).toEqual([0.1, 0.2]);
    operation.frame(frame(3, NaN, NaN, NaN, NaN, NaN, NaN, NaN, NaN));
    draw();
    expect(operation.arm("ur", "arm")).toBeUndefined();
  });

  it("begins in the middle once: the next run begins at the first step again", async () => {
    let fits = false;
    const { operation } = made(() => fits);
    const how = { mode: "streamed", reduced: false, loop: false, from_step: "s3" } as const;
    operation.fromStep.set(true);
    await operation.start("pick", how);
    expect(operation.fromStep.value).toBe(true);
    fits = true;
    await operation.start("pick", how);
    expect(operation.fromStep.value).toBe(false);
  });

  it("shows no setpoint where none was sent, as while a program runs on the controller", () => {
    const { operation, draw } = made();
    operation.frame(frame(1, 10, NaN, NaN, NaN, 0.1, 0.2, NaN, NaN));
    draw();
    expect(operation.arm("ur", "arm")).toEqual({ measured: [0.1, 0.2], sent: null, apart: [0, 0] });
  });

  it("measures how long a hand takes to be obeyed and seen", async () => {
    const { operation, pass } = made();
    const ping = { type: "ping", number: 1, delay_ms: 4, offset_known: true } as const;
    operation.take({ ...ping, offset_s: 100 });
    const jog = { key: "j", robot: "ur", arm: "arm", command: () => jointCommand(2, 0, 1, 1) };
    await operation.jogging.begin(jog);
    pass(50);
    const at = (stateS: number, intentS: number, obeyedS: number): void => {
      operation.frame(frame(1, stateS, obeyedS, intentS, obeyedS, 0, 0, 0, 0));
    };
    // The state was measured before the setpoint was sent: it does not show it yet.
    at(100.02, 100.016, 100.024);
    expect(operation.inputDelay.value).toBe(null);
    at(100.03, 100.016, 100.024);
    expect(operation.inputDelay.value?.setpointMs).toBeCloseTo(8);
    expect(operation.inputDelay.value?.pageMs).toBeCloseTo(50 - 16);
    // What is told again counts once.
    pass(500);
    at(100.5, 100.016, 100.024);
    expect(operation.inputDelay.value?.pageMs).toBeCloseTo(50 - 16);
    operation.lost();
    expect(operation.inputDelay.value).toBe(null);
  });

  it("knows how old the stream is", () => {
    const { operation, pass } = made();
    operation.tick();
    expect(operation.stream.value.ageMs).toBe(null);
    for (let i = 0; i < 30; i++) {
      operation.frame(frame(i, 0, 0, 0, 0, 0, 0, 0, 0));
      pass(20);
    }
    operation.tick();
    expect(operation.stream.value).toEqual({ rateHz: 30, ageMs: 20 });
    pass(3000);
    operation.tick();
    expect(operation.stream.value).toEqual({ rateHz: 0, ageMs: 3020 });
  });

  it("forgets joints when the robots are gone", () => {
    const { operation, draw } = made();
    operation.frame(frame(1, 0, 0, 0, 0, 0, 0, 0, 0));
    draw();
    operation.frame(frame(2, 0, 0, 0, 0, 0, 0, 0, 0));
    operation.take(OFF);
    draw();
    expect(operation.joints.value).toEqual({});
  });

  it("keeps the log in order and once, also when it is told again", () => {
    const { operation } = made();
    operation.take({ type: "events", events: [event(0), event(1)] });
    operation.take({ type: "events", events: [event(0), event(1), event(2)] });
    expect(operation.events.value.map(({ number }) => number)).toEqual([0, 1, 2]);
  });

  it("runs with the speed that was chosen before", async () => {
    const { operation, asked } = made((question) => {
      if (question.type === "run") operation.take({ ...ON, run: RUN });
      return true;
    });
    await operation.setSpeed(0.4);
    expect(asked).toEqual([]);
    await operation.start("pick", { mode: "streamed", reduced: false, loop: false });
    expect(asked).toEqual([
      { type: "run", program: "pick", mode: "streamed", reduced: false, loop: false, breakpoints: [] },
      { type: "speed", fraction: 0.4 },
    ]);
  });

  it("takes breakpoints along into streamed runs and resumed ones, and into no others", async () => {
    const { operation, asked } = made(() => true);
    const breakpoints = [["pick", "s2"]] as const;
    operation.breakpoints.set(breakpoints);
    await operation.start("pick", { mode: "streamed", reduced: false, loop: false });
    await operation.start("pick", { mode: "uploaded", reduced: false, loop: false });
    await operation.resumeStopped();
    await operation.tellBreakpoints();
    expect(asked).toMatchObject([
      { type: "run", breakpoints },
      { type: "run", breakpoints: [] },
      { type: "resume stopped", breakpoints },
      { type: "breakpoints", breakpoints },
    ]);
  });

  it("knows that the server was restarted while robots ran, until they are connected again", () => {
    const { operation } = made();
    const real: RobotStatus = { ...ROBOT, how: "real", address: "10.0.0.5" };
    operation.take({ ...ON, robots: [real], run: RUN });
    operation.lost();
    operation.take(OFF);
    expect(operation.interrupted.value).toEqual({ program: "pick", addresses: { ur: "10.0.0.5" } });
    operation.take({ ...OFF, state: "starting" });
    expect(operation.interrupted.value).toBe(null);
  });

  it("does not take a link that was lost and came back, or a disconnect, for a new server", () => {
    const { operation } = made();
    operation.lost();
    operation.take(ON);
    operation.take(OFF);
    expect(operation.interrupted.value).toBe(null);
    operation.lost();
    operation.take(OFF);
    expect(operation.interrupted.value).toBe(null);
  });

  it("keeps where parts are that a run has moved", () => {
    const { operation } = made();
    const part = {
      type: "part",
      name: "cube",
      arm: "ur/arm",
      pose: { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] },
    } as const;
    operation.take({ ...ON, parts: [part] });
    expect(operation.parts.value).toEqual([part]);
    const before = operation.parts.value;
    operation.take(ON);
    expect(operation.parts.value).not.toBe(before);
    expect(operation.parts.value).toEqual([]);
  });

  it("says what it waits for", async () => {
    const { operation } = made();
    const connecting = operation.connect({ ur: "10.0.0.2" });
    expect(operation.busy.value).toEqual(["connect"]);
    await connecting;
    expect(operation.busy.value).toEqual([]);
  });
});

describe("Jogging", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const jog = { key: "x", robot: "ur", arm: "arm", command: () => jointCommand(2, 1, -1, 0.5) };
  const stamps = (told: readonly FromClient[]): (number | undefined)[] =>
    told.map((message) => (message.type === "intend" ? message.intent.stamp_ns : undefined));
  const clutches = (told: readonly FromClient[]): (boolean | undefined)[] =>
    told.map((message) => (message.type === "intend" ? message.intent.clutch : undefined));

  it("engages, sends one intent a frame with the time of the frame, and lets go", async () => {
    const { operation, clock, asked, told } = made();
    await operation.jogging.begin(jog);
    expect(asked).toEqual([{ type: "engage", robot: "ur", arm: "arm" }]);
    clock.advance(60, 16);
    expect(clutches(told)).toEqual([true, true, true, true]);
    expect(stamps(told)).toEqual([16e6, 32e6, 48e6, 64e6]);
    expect(told[0]).toMatchObject({
      type: "intend",
      robot: "ur",
      intent: { type: "joints", velocity: [0, -0.8], scale: 0.5 },
    });
    operation.jogging.end();
    clock.advance(1000, 16);
    expect(clutches(told).at(-1)).toBe(false);
    expect(told).toHaveLength(5);
    expect(operation.jogging.held.value).toBe(null);
    expect(clock.idle).toBe(true);
  });

  it("says nothing while no frame is drawn, and no more than a fast screen needs", async () => {
    const { operation, clock, told } = made();
    await operation.jogging.begin(jog);
    vi.advanceTimersByTime(2000);
    expect(told).toEqual([]);
    clock.advance(64, 4);
    expect(told.length).toBeLessThanOrEqual(5);
    operation.jogging.end();
  });

  it("does not move where the button was let go before the clutch was in", async () => {
    const { operation, clock, told } = made();
    const begun = operation.jogging.begin(jog);
    operation.jogging.end();
    await begun;
    clock.advance(500);
    expect(clutches(told)).toEqual([false]);
  });

  it("does not move where control is refused", async () => {
    const { operation, clock, told } = made((question) => question.type !== "engage");
    await operation.jogging.begin(jog);
    clock.advance(500);
    expect(told).toEqual([]);
    expect(operation.jogging.held.value).toBe(null);
  });

  it("waits for rest where another button was let go of just before", async () => {
    let resting = true;
    const { operation, clock, told } = made(() => resting);
    await operation.jogging.begin(jog);
    clock.advance(16, 16);
    operation.jogging.end();
    resting = false;
    const begun = operation.jogging.begin(jog);
    await vi.advanceTimersByTimeAsync(500);
    clock.advance(50);
    expect(clutches(told)).toEqual([true, false]);
    resting = true;
    await vi.advanceTimersByTimeAsync(150);
    await begun;
    clock.advance(16, 16);
    expect(clutches(told)).toEqual([true, false, true]);
    operation.jogging.end();
  });

  it("ends where the robot ends it, and says why until the next press", async () => {
    const { operation } = made();
    operation.take({ type: "events", events: [event(0)] });
    await operation.jogging.begin(jog);
    const held: Event = { ...event(1), kind: "job held", message: "arm: the arm is stretched" };
    operation.take({ type: "events", events: [event(0), held] });
    expect(operation.jogging.held.value).toBe(null);
    expect(operation.jogging.barred.value).toBe("arm: the arm is stretched");
    await operation.jogging.begin(jog);
    expect(operation.jogging.barred.value).toBe("");
    operation.jogging.end();
  });

  it("ends where the link breaks", async () => {
    const { operation, clock, told, breakLink } = made();
    await operation.jogging.begin(jog);
    clock.advance(16, 16);
    breakLink();
    clock.advance(50, 16);
    expect(operation.jogging.held.value).toBe(null);
    expect(told).toHaveLength(1);
    expect(clock.idle).toBe(true);
  });

  it("makes twists along and about one axis", () => {
    expect(toolCommand(2, -1, "tool", 1)).toMatchObject({
      linear: [0, 0, -0.25],
      angular: [0, 0, 0],
      frame: "tool",
    });
    expect(toolCommand(3, 1, "base", 1)).toMatchObject({ linear: [0, 0, 0], angular: [0.8, 0, 0] });
  });
});
