import { describe, expect, it } from "vitest";
import type { ProjectRequest } from "../wire/project-socket";
import type { FromClient } from "../wire/studio";
import { FakeClock } from "../state/shared/fake-clock";
import { Store } from "../state/shared/store";
import { Jogging } from "../state/operate/jog";
import { FakePads } from "./fake-pads";
import { GamepadDevice } from "./gamepad-device";
import { PAD_DEFAULTS, twistSettings } from "./pad-defaults";
import { Pilot } from "./pilot";
import { RobotTarget } from "./robot-target";
import { TwistMapping } from "./twist-mapping";

type Sent = Extract<FromClient, { type: "intend" }>;

/** A pad that drives an arm by a line on which nothing gets lost. */
function made() {
  const clock = new FakeClock();
  const pads = new FakePads();
  const asked: ProjectRequest[] = [];
  const sent: Sent[] = [];
  const attention = { here: true, left: new Store(0) };
  const hand = new Jogging(
    {
      act: (question) => {
        asked.push(question);
        return Promise.resolve(true);
      },
      send: (message) => {
        if (message.type === "intend") sent.push(message);
        return true;
      },
    },
    clock,
  );
  const target = new RobotTarget(hand, "pad", () => ({ robot: "ur", arm: "arm" }));
  const mapping = new TwistMapping(twistSettings(PAD_DEFAULTS));
  const pilot = new Pilot(new GamepadDevice(pads.pad, pads.source), mapping, target, attention, clock);
  /** Frames of 16 ms; what was asked is answered between them. */
  const pass = async (frames: number): Promise<void> => {
    for (let i = 0; i < frames; i++) {
      clock.advance(16, 16);
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  const newest = (): Sent["intent"] | undefined => sent.at(-1)?.intent;
  return { clock, pads, asked, sent, attention, hand, pilot, pass, newest };
}

const GRIP = { "right trigger": 1, "left stick y": 1 };

describe("Pilot", () => {
  it("drives an arm while the trigger is held, with the time of the frame in which the pad was read", async () => {
    const { clock, pads, asked, newest, pass, hand } = made();
    pads.set({ "left stick y": 1 });
    await pass(5);
    expect(asked).toEqual([]);
    pads.set(GRIP);
    await pass(3);
    expect(asked).toEqual([{ type: "engage", robot: "ur", arm: "arm", needs_dead_man: true }]);
    expect(hand.held.value).toBe("pad");
    expect(newest()).toMatchObject({
      type: "twist",
      linear: [0.25, 0, 0],
      dead_man: true,
      stamp_ns: 1e6 * clock.nowMs(),
    });
    pads.set({ "left stick y": 0 });
    await pass(1);
    expect(newest()).toMatchObject({ linear: [0, 0, 0], clutch: true, dead_man: true });
    pads.rest();
    await pass(1);
    expect(newest()).toMatchObject({ clutch: false, dead_man: false });
  });

  it("lets go in the next frame at whatever moment the pad is pulled, and needs a new press after it", async () => {
    for (let moment = 0; moment < 100; moment++) {
      const { pads, newest, pass, hand, sent } = made();
      await pass(1);
      pads.set(GRIP);
      await pass(moment % 10);
      pads.plugged = false;
      await pass(1);
      expect(hand.held.value).toBeNull();
      if (sent.length > 0) expect(newest()).toMatchObject({ clutch: false, dead_man: false });
      const before = sent.length;
      pads.plugged = true;
      await pass(10);
      expect(sent.length).toBe(before);
      pads.rest();
      await pass(1);
      pads.set(GRIP);
      await pass(3);
      expect(newest()).toMatchObject({ clutch: true, dead_man: true });
    }
  });

  it("lets go at once when the person leaves the page, and when the robot ends the motion", async () => {
    const { attention, pads, newest, pass, hand, sent, pilot } = made();
    await pass(1);
    pads.set(GRIP);
    await pass(3);
    attention.left.set(1);
    expect(newest()).toMatchObject({ clutch: false, dead_man: false });
    await pass(5);
    expect(newest()).toMatchObject({ clutch: false });
    pads.rest();
    await pass(1);
    pads.set(GRIP);
    await pass(3);
    expect(newest()).toMatchObject({ clutch: true });
    hand.bar("ur", "near table");
    const before = sent.length;
    await pass(5);
    expect(sent.length).toBe(before);
    expect(pilot.wish.value.held).toBe(false);
    attention.here = false;
    pads.rest();
    await pass(1);
    pads.set(GRIP);
    await pass(5);
    expect(sent.length).toBe(before);
  });
});
