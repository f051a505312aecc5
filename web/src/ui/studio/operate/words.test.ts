import { describe, expect, it } from "vitest";
import type { Event } from "../../../wire/studio";
import { eventWords, withoutRepeats } from "./words";

const event = (number: number, kind: Event["kind"], robot = "ur3e", message = ""): Event => ({
  type: "event",
  number,
  time_s: 0,
  robot,
  kind,
  about: "",
  message,
});

describe("withoutRepeats", () => {
  it("gives what a robot does again and again one line, with the newest of it", () => {
    const events = [
      event(0, "ready"),
      event(1, "stumbled", "ur3e", "a"),
      event(2, "stumbled", "ur3e", "b"),
      event(3, "stumbled", "irb"),
      event(4, "message"),
      event(5, "message"),
    ];
    expect(withoutRepeats(events).map(([{ number }, count]) => [number, count])).toEqual([
      [0, 1],
      [2, 2],
      [3, 1],
      [4, 1],
      [5, 1],
    ]);
  });
});

describe("eventWords", () => {
  it("says what happened, and what was said about it", () => {
    expect(eventWords(event(0, "not ready", "ur3e", "the robot is off"))).toBe("not ready: the robot is off");
    expect(eventWords(event(0, "tool", "irb", "25.0 mm"))).toBe("tool opening: 25.0 mm");
    expect(eventWords(event(0, "ready", "irb", "ready"))).toBe("ready");
    const run: Event = { ...event(0, "person", "", "program_1"), who: "Ann", did: "run" };
    const programs = { program_1: { name: "program_1", title: "Sort pucks", robot: "ur3e" } };
    expect(eventWords(run, programs)).toBe("Ann runs Sort pucks");
  });
});
