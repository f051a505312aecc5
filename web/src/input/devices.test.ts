import { describe, expect, it } from "vitest";
import { checkDevice } from "./check-device";
import { FakePads } from "./fake-pads";
import { GamepadDevice } from "./gamepad-device";
import { HandMapping } from "./hand-mapping";
import { type KeyTarget, KeyboardDevice } from "./keyboard-device";
import type { Device, Sample } from "./device";
import { PAD_DEFAULTS, twistSettings } from "./pad-defaults";
import { TwistMapping } from "./twist-mapping";
import { KEY_DEFAULTS } from "./key-defaults";

class FakeKeys implements KeyTarget {
  readonly #listeners = new Map<string, (event: KeyboardEvent) => void>();
  prevented = 0;

  addEventListener(type: string, listener: (event: KeyboardEvent) => void): void {
    this.#listeners.set(type, listener);
  }

  removeEventListener(type: string): void {
    this.#listeners.delete(type);
  }

  say(type: "keydown" | "keyup", code: string, more: Partial<KeyboardEvent> = {}): void {
    const event = { code, repeat: false, preventDefault: () => this.prevented++, ...more };
    this.#listeners.get(type)?.(event as KeyboardEvent);
  }
}

describe("devices", () => {
  it("a pad keeps to what robots rely on", () => {
    const pads = new FakePads();
    const device = new GamepadDevice(pads.pad, pads.source);
    const faults = checkDevice({
      device,
      mapping: () => new TwistMapping(twistSettings(PAD_DEFAULTS)),
      hold: (held) => (held ? pads.set({ "right trigger": 1, "left stick y": 1 }) : pads.rest()),
      lose: () => (pads.plugged = false),
      find: () => (pads.plugged = true),
    });
    expect(faults).toEqual([]);
    expect(device.title).toBe("Xbox 360 Controller");
  });

  it("keys keep to it too, and are nobody's while somebody types", () => {
    const keys = new FakeKeys();
    let listens = true;
    const controls = [...KEY_DEFAULTS.deadMan, ...KEY_DEFAULTS.axes.map(({ control }) => control)];
    const device = new KeyboardDevice(controls, "Keyboard", keys, () => listens);
    const say = (type: "keydown" | "keyup"): void => {
      for (const code of ["ShiftLeft", "KeyW"]) keys.say(type, code);
    };
    const faults = checkDevice({
      device,
      mapping: () => new TwistMapping(KEY_DEFAULTS),
      hold: (held) => say(held ? "keydown" : "keyup"),
      lose: () => (listens = false),
      find: () => (listens = true),
    });
    expect(faults).toEqual([]);
    keys.say("keydown", "KeyW");
    keys.say("keydown", "KeyW", { repeat: true });
    expect(device.read(1).values).toEqual({ KeyW: 1 });
    keys.say("keyup", "KeyW");
    keys.say("keydown", "KeyW", { ctrlKey: true });
    keys.say("keydown", "KeyQ", { repeat: true });
    expect(device.read(2).values).toEqual({});
  });

  it("a tracked hand keeps to it too", () => {
    let held = false;
    let tracked = true;
    const device: Device = {
      id: "right",
      kind: "hand",
      title: "Right hand",
      controls: ["grip"],
      read: (atMs): Sample => ({
        atMs,
        present: tracked,
        values: { grip: held ? 1 : 0 },
        pose: { xyz: [0, 0, 1], wxyz: [1, 0, 0, 0] },
      }),
      dispose: () => undefined,
    };
    const settings = { clutch: ["grip"], buttons: [], scale: 1, locked: [] };
    const faults = checkDevice({
      device,
      mapping: () => new HandMapping(settings),
      hold: (now) => (held = now),
      lose: () => (tracked = false),
      find: () => (tracked = true),
    });
    expect(faults).toEqual([]);
  });

  it("the check finds a device that holds on without its hand", () => {
    const pads = new FakePads();
    const device = new GamepadDevice(pads.pad, pads.source);
    const { id, kind, title, controls } = device;
    const stubborn: Device = {
      ...{ id, kind, title, controls },
      read: (atMs) => ({ ...device.read(atMs), atMs: atMs - 5 }),
      dispose: () => undefined,
    };
    const faults = checkDevice({
      device: stubborn,
      mapping: () => new TwistMapping({ ...twistSettings(PAD_DEFAULTS), deadMan: ["guide"] }),
      hold: (held) => (held ? pads.set({ "right trigger": 1 }) : pads.rest()),
      lose: () => undefined,
      find: () => undefined,
    });
    expect(faults).toContain("its sample is not stamped with the frame in which it was read");
    expect(faults).toContain("its dead-man switch cannot be held");
  });

  it("a pad of another make is known by numbers, and another one in its place is not it", () => {
    const pads = new FakePads("8-axis wheel", "");
    const device = new GamepadDevice(pads.pad, pads.source);
    pads.set({ "left stick y": -0.5, b: 1 });
    expect(device.controls).toContain("axis-1");
    expect(device.read(1).values).toMatchObject({ "axis-1": 0.5, "button-1": 1 });
    const other = new FakePads("another");
    const moved = new GamepadDevice(pads.pad, other.source);
    expect(moved.read(2).present).toBe(false);
  });
});
