import { describe, expect, it } from "vitest";
import type { RobotWindow } from "../../wire/generated";
import type { Operating, RobotStatus } from "../../wire/studio";
import { OFF } from "./operator";
import { openWindow, windowKey } from "./window";

const robot = (name: string, window: RobotWindow | null = null): RobotStatus =>
  ({ name, window }) as unknown as RobotStatus;
const on = (...robots: RobotStatus[]): Operating => ({ ...OFF, state: "on", robots });
const HELLO: RobotWindow = { number: 1, title: "Hello", text: "Go on?" };

describe("openWindow", () => {
  it("shows what a controller has open, and nothing else", () => {
    expect(openWindow(on(robot("a"), robot("b")), [])).toBeNull();
    expect(openWindow(on(robot("a"), robot("b", HELLO)), [])).toMatchObject({ window: HELLO });
    expect(openWindow({ ...on(robot("b", HELLO)), state: "starting" }, [])).toBeNull();
  });

  it("keeps put away what was put away, and shows the next", () => {
    const first = robot("a", HELLO);
    const next = robot("a", { ...HELLO, number: 2 });
    expect(openWindow(on(first), [windowKey(first)])).toBeNull();
    expect(openWindow(on(next), [windowKey(first)])).toMatchObject({ window: { number: 2 } });
  });
});
