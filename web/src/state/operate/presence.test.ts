import { expect, test } from "vitest";
import type { FromClient, Operating, RobotStatus } from "../../wire/studio";
import { FakeClock } from "../shared/fake-clock";
import { OFF } from "./operator";
import { leads, Presence } from "./presence";
import { Store } from "../shared/store";

const robot = (holder: string, moving: boolean) => ({ name: "ur", holder, moving }) as RobotStatus;
const on = (holder: string, moving: boolean): Operating => ({
  ...OFF,
  state: "on",
  robots: [robot(holder, moving)],
});
const run = (by: string, status: "checking" | "stopped"): Operating["run"] => ({
  type: "run status",
  program: "p",
  mode: "streamed",
  status,
  message: "",
  step: null,
  by,
  speed: 1,
});

function made() {
  const clock = new FakeClock();
  const told: FromClient[] = [];
  const now = new Store<Operating>(OFF);
  const held = new Store<string | null>(null);
  const presence = new Presence(
    { now, held, client: () => "me", send: (message) => told.push(message) > 0 },
    clock,
  );
  return { clock, told, now, held, presence };
}

test("a page leads what it moves, and the run that it began, from the first moment", () => {
  expect(leads(on("me", true), "me")).toBe(true);
  expect(leads(on("me", false), "me")).toBe(false);
  expect(leads(on("you", true), "me")).toBe(false);
  expect(leads({ ...OFF, run: run("me", "checking") }, "me")).toBe(true);
  expect(leads({ ...OFF, run: run("me", "stopped") }, "me")).toBe(false);
});

test("it says so several times a second, from frames, as long as something moves", () => {
  const { clock, told, now } = made();
  clock.advance(500, 16);
  expect(told).toEqual([]);
  now.set(on("me", true));
  clock.advance(1000, 16);
  expect(told.length).toBeGreaterThanOrEqual(6);
  expect(told[0]).toEqual({ type: "present", stamp_ns: Math.round(clock.nowMs() * 1e6) - 1008e6 + 16e6 });
  now.set(on("me", false));
  const count = told.length;
  clock.advance(1000, 16);
  expect(told).toHaveLength(count);
  expect(clock.idle).toBe(true);
});

test("it is silent while no frames are drawn, and knows that it was", () => {
  const { clock, told, now, presence } = made();
  now.set(on("me", true));
  clock.advance(320, 16);
  const count = told.length;
  // Two seconds without a picture, in which the server stops the robot and says so.
  clock.advance(2000, 2000);
  now.set(on("", false));
  expect(told.length).toBeLessThanOrEqual(count + 1);
  expect(presence.missed.value).toBe(true);
  now.set(on("me", true));
  expect(presence.missed.value).toBe(false);
  presence.dispose();
  expect(clock.idle).toBe(true);
});

test("who jogs is there", () => {
  const { clock, told, held } = made();
  held.set("x");
  clock.advance(320, 16);
  expect(told.length).toBeGreaterThanOrEqual(2);
});
