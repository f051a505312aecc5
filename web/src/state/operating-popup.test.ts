import { describe, expect, it } from "vitest";
import type { Event } from "../wire/studio";
import { openPopup } from "./operating-popup";

let number = 0;
const event = (kind: Event["kind"], message = "", robot = "ur3e", about = ""): Event => ({
  type: "event",
  number: number++,
  time_s: 0,
  robot,
  kind,
  about,
  message,
});
const popup = event("popup", "Note: put a part in");

describe("openPopup", () => {
  it("finds a window that nobody has answered, in a run or not", () => {
    expect(openPopup([])).toBeNull();
    expect(openPopup([event("ready"), popup])).toBe(popup);
    expect(openPopup([event("job started"), popup, event("message", "x")])).toBe(popup);
  });

  it.each([
    event("person", "continue", "ur3e", "press"),
    event("person", "stop_popup", "ur3e", "press"),
    event("ready"),
    event("job stopped"),
    event("lost"),
  ])("takes it as answered after $kind $message", (after) => expect(openPopup([popup, after])).toBeNull());

  it("does not take what another robot does, or another button, for an answer", () => {
    expect(openPopup([popup, event("ready", "", "irb")])).toBe(popup);
    expect(openPopup([popup, event("person", "power_off", "ur3e", "press")])).toBe(popup);
  });

  it("shows the newest of several", () => {
    const next = event("popup", "and another");
    expect(openPopup([popup, next])).toBe(next);
  });
});
