import { describe, expect, it } from "vitest";
import type { JogCommand } from "../state/operate/jog";
import { shaped } from "./curve";
import type { Sample } from "./device";
import { HandMapping } from "./hand-mapping";
import { JointMapping } from "./joint-mapping";
import { PAD_DEFAULTS, twistSettings } from "./pad-defaults";
import { TwistMapping } from "./twist-mapping";

const settings = twistSettings(PAD_DEFAULTS);
const HELD = { "right trigger": 1 };

/** The command of a pad whose controls stand like this. */
function commandOf(values: Readonly<Record<string, number>>, of = settings): JogCommand | null {
  return new TwistMapping(of).take({ atMs: 1, present: true, values })?.command ?? null;
}

/** The same numbers in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("mapping", () => {
  it("moves and turns the tool by the place of each control", () => {
    const close = (values: readonly number[]): unknown[] =>
      values.map((value): unknown => expect.closeTo(value, 9));
    const twist = (linear: readonly number[], angular: readonly number[]): unknown =>
      expect.objectContaining({
        type: "twist",
        frame: "base",
        linear: close(linear),
        angular: close(angular),
      });
    const turn = Math.PI / 6;
    const cases: readonly (readonly [Record<string, number>, readonly number[], readonly number[]])[] = [
      [{ "left stick y": 1 }, [0.25, 0, 0], [0, 0, 0]],
      [{ "left stick x": 1 }, [0, -0.25, 0], [0, 0, 0]],
      [{ "dpad up": 1 }, [0, 0, 0.25], [0, 0, 0]],
      [{ "dpad down": 1 }, [0, 0, -0.25], [0, 0, 0]],
      [{ b: 1 }, [0, 0, 0], [turn, 0, 0]],
      [{ a: 1 }, [0, 0, 0], [0, turn, 0]],
      [{ x: 1 }, [0, 0, 0], [0, 0, turn]],
      [{ x: 1, "left bumper": 1 }, [0, 0, 0], [0, 0, -turn]],
      [{ "left stick y": -1, "left bumper": 1 }, [-0.25, 0, 0], [0, 0, 0]],
    ];
    for (const [values, linear, angular] of cases) expect(commandOf(values)).toEqual(twist(linear, angular));
    expect(commandOf({ "left stick y": 0.1, "right stick y": 1, y: 1 })).toBeNull();
  });

  it("asks for no more than full speed, whatever is pressed at once", () => {
    const command = commandOf({ "left stick x": 1, "left stick y": 1, "dpad up": 1 });
    if (command?.type !== "twist") throw new Error("no twist");
    expect(Math.hypot(...command.linear)).toBeCloseTo(0.25);
    const loud = { ...settings, linear: 99 };
    const fast = commandOf({ "left stick y": 1 }, loud);
    if (fast?.type !== "twist") throw new Error("no twist");
    expect(Math.hypot(...fast.linear)).toBeCloseTo(0.25);
  });

  it("curves are odd, monotonic, and dead near the middle", () => {
    for (const curve of [
      { dead: 0.1, power: 1 },
      { dead: 0.2, power: 3 },
    ]) {
      const values = Array.from({ length: 201 }, (_, i) => shaped(i / 100 - 1, curve));
      expect(values[0]).toBe(-1);
      expect(values[200]).toBe(1);
      values.forEach((value, i) => {
        expect(value).toBeCloseTo(-(values[200 - i] ?? NaN));
        if (i > 0) expect(value).toBeGreaterThanOrEqual(values[i - 1] ?? NaN);
        if (Math.abs(i / 100 - 1) <= curve.dead) expect(value).toBeCloseTo(0);
      });
    }
  });

  it("reports presses once, and not those of before it looked", () => {
    const map = new TwistMapping(settings);
    const presses = (atMs: number, values: Record<string, number>) =>
      map.take({ atMs, present: true, values })?.presses.map(({ control, down }) => [control, down]);
    expect(presses(1, { y: 1 })).toEqual([]);
    expect(presses(2, {})).toEqual([]);
    expect(presses(3, { y: 1 })).toEqual([["y", true]]);
    expect(presses(4, { y: 0.5 })).toEqual([]);
    expect(presses(5, { y: 0.1, back: 1 })).toEqual([
      ["y", false],
      ["back", true],
    ]);
    const lost = map.take({ atMs: 6, present: false, values: {} });
    expect(lost).toMatchObject({ held: false, command: null, presses: [{ control: "back", down: false }] });
  });

  it("a hand's way goes out as it is, only while its clutch is closed", () => {
    const pose = { xyz: [1, 2, 3], wxyz: [1, 0, 0, 0] } as const;
    const map = new HandMapping({ clutch: ["grip"], buttons: [], scale: 0.5, locked: ["rx"] });
    const at = (atMs: number, grip: number) => map.take({ atMs, present: true, values: { grip }, pose });
    expect(at(1, 0)?.command).toBeNull();
    expect(at(2, 1)).toMatchObject({
      held: true,
      command: { type: "pose", pose, relative: true, frame: "world", scale: 0.5, locked: ["rx"] },
    });
    const bent = { ...pose, wxyz: [2, 0, 0, 0] as const };
    expect(map.take({ atMs: 3, present: true, values: { grip: 1 }, pose: bent })?.held).toBe(false);
  });

  it("joints turn each by its own control, as many as the arm has", () => {
    const joints = [0, 9].map((joint) => ({
      control: "a",
      joint,
      gain: -1,
      curve: { dead: 0, power: 1 },
    }));
    const map = new JointMapping({ deadMan: ["b"], joints, buttons: [], scale: 1 }, () => 3);
    const wish = map.take({ atMs: 1, present: true, values: { a: 1, b: 0 } });
    expect(wish?.command).toEqual({ type: "joints", velocity: [-0.8, 0, 0], scale: 1 });
  });

  it("whatever a device says, it gives finite speeds within bounds, and holds only what was pressed", () => {
    const next = random(15);
    const odd = [NaN, Infinity, -Infinity, 1e300, -1e300, 5, -5, 0, 1];
    const map = new TwistMapping(settings);
    const names = ["right trigger", ...settings.axes.map(({ control }) => control), "?"];
    let atMs = 0;
    let lastMs = 0;
    let holds = 0;
    const wrong: unknown[] = [];
    for (let i = 0; i < 20_000; i++) {
      const jump = next();
      if (jump < 0.01) atMs += 1e6 * (next() - 0.5);
      else if (jump < 0.012) atMs = NaN;
      else atMs = (Number.isFinite(atMs) ? atMs : 0) + 0.1;
      const values: Record<string, number> = {};
      for (const name of names)
        values[name] = next() < 0.002 ? (odd[Math.floor(next() * odd.length)] ?? 0) : 3 * next() - 1;
      const sample: Sample = { atMs, present: next() > 0.005, values };
      const trusted = sample.present && Object.values(values).every(Number.isFinite) && Number.isFinite(atMs);
      const wish = map.take(sample);
      if (Number.isFinite(atMs)) lastMs = Math.max(lastMs, atMs);
      const fast =
        wish?.command?.type === "twist" &&
        !(
          Math.hypot(...wish.command.linear) <= 0.25 + 1e-12 &&
          (wish.command.angular ?? []).every((rate) => Math.abs(rate) <= Math.PI / 6)
        );
      const held = wish?.held === true && !(trusted && (values["right trigger"] ?? 0) > 0.4);
      const timeless = wish === null ? !trusted : !Number.isFinite(wish.atMs);
      if (fast || held || timeless) wrong.push({ sample, wish });
      if (wish?.held === true) holds++;
    }
    expect(wrong).toEqual([]);
    expect(holds).toBeGreaterThan(100);
    expect(map.take({ atMs: lastMs + 1e9, present: true, values: HELD })).not.toBeNull();
  });
});
