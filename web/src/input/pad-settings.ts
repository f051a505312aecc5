/** How a person's pad is set: changes, and whether what was kept is still allowed. */

import { AXES, type Axis, type AxisBinding } from "./twist-mapping";
import { BUTTON, STICK } from "./curve";
import { PAD_CONTROLS } from "./gamepad-device";
import { type Deed, DEEDS, type PadSettings } from "./pad-defaults";

/** What a control can be given to: a way along or about an axis, a deed, or a part of its own. */
export type PadUse = `${Axis}-${"plus" | "minus"}` | Deed | "dead-man" | "reverse" | "tilt";

export const PAD_USES: readonly PadUse[] = [
  "dead-man",
  ...AXES.flatMap((axis): PadUse[] => [`${axis}-plus`, `${axis}-minus`]),
  "reverse",
  ...DEEDS,
  "tilt",
];

/** The control has a middle and two ends. */
export function isStick(control: string): boolean {
  return / [xy]$|^axis-/.test(control);
}

/** Which controls have a use. A stick has both ways of its axis. */
export function controlsOf(settings: PadSettings, use: PadUse): readonly string[] {
  if (use === "dead-man") return settings.deadMan;
  if (use === "reverse") return settings.reverse === "" ? [] : [settings.reverse];
  if (use === "tilt") return settings.tilt === "" ? [] : [settings.tilt];
  const deed = DEEDS.find((one) => one === use);
  if (deed !== undefined)
    return Object.keys(settings.deeds).filter((control) => settings.deeds[control] === deed);
  const [axis, way] = wayOf(use);
  return settings.axes
    .filter((one) => one.axis === axis && (isStick(one.control) || Math.sign(one.gain) === way))
    .map(({ control }) => control);
}

/** Give a control to a use; it leaves the one it had, and takes the place of what did this before. */
export function withControl(settings: PadSettings, use: PadUse, control: string): PadSettings {
  const free = without(settings, control);
  if (use === "dead-man") return { ...free, deadMan: [control] };
  if (use === "reverse") return { ...free, reverse: control };
  if (use === "tilt") return { ...free, tilt: control };
  const deed = DEEDS.find((one) => one === use);
  if (deed !== undefined) {
    const others = Object.entries(free.deeds).filter(([, one]) => one !== deed);
    return { ...free, deeds: { ...Object.fromEntries(others), [control]: deed } };
  }
  const [axis, way] = wayOf(use);
  const stick = isStick(control);
  const stays = ({ axis: one, control: other, gain }: AxisBinding): boolean =>
    one !== axis || (!stick && !isStick(other) && Math.sign(gain) !== way);
  const binding: AxisBinding = { control, axis, gain: way, curve: stick ? STICK : BUTTON };
  return { ...free, axes: [...free.axes.filter(stays), binding] };
}

function without(settings: PadSettings, control: string): PadSettings {
  return {
    ...settings,
    // There is always a dead-man switch.
    deadMan:
      settings.deadMan.length > 1 ? settings.deadMan.filter((one) => one !== control) : settings.deadMan,
    axes: settings.axes.filter((one) => one.control !== control),
    reverse: settings.reverse === control ? "" : settings.reverse,
    tilt: settings.tilt === control ? "" : settings.tilt,
    deeds: Object.fromEntries(Object.entries(settings.deeds).filter(([one]) => one !== control)),
  };
}

function wayOf(use: PadUse): readonly [Axis, 1 | -1] {
  const [name, way] = use.split("-");
  const axis = AXES.find((one) => one === name);
  if (axis === undefined) throw new Error(`${use} is no axis`);
  return [axis, way === "plus" ? 1 : -1];
}

/** Whether what was kept may be used. */
export function isPadSettings(value: unknown): value is PadSettings {
  if (typeof value !== "object" || value === null) return false;
  const of = value as Partial<Record<keyof PadSettings, unknown>>;
  return (
    isNames(of.deadMan) &&
    of.deadMan.length > 0 &&
    Array.isArray(of.axes) &&
    of.axes.every(isBinding) &&
    typeof of.reverse === "string" &&
    typeof of.tilt === "string" &&
    ["base", "world", "tool", "view"].includes(String(of.frame)) &&
    isWithin(of.linear, 0.25) &&
    isWithin(of.angular, Math.PI / 2) &&
    isWithin(of.scale, 1) &&
    typeof of.deeds === "object" &&
    of.deeds !== null &&
    Object.values(of.deeds).every((deed) => DEEDS.some((one) => one === deed))
  );
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isBinding(value: unknown): value is AxisBinding {
  if (typeof value !== "object" || value === null) return false;
  const { control, axis, gain, curve } = value as Partial<Record<keyof AxisBinding, unknown>>;
  if (typeof curve !== "object" || curve === null) return false;
  const { dead, power } = curve as Partial<Record<string, unknown>>;
  return (
    typeof control === "string" &&
    AXES.some((one) => one === axis) &&
    typeof gain === "number" &&
    Math.abs(gain) <= 1 &&
    typeof dead === "number" &&
    dead >= 0 &&
    dead <= 0.9 &&
    typeof power === "number" &&
    power >= 0.5 &&
    power <= 4
  );
}

function isWithin(value: unknown, most: number): boolean {
  return typeof value === "number" && value > 0 && value <= most;
}

/** Which control of a sample a person means who is asked for one: the one that is most out of rest. */
export function meant(
  values: Readonly<Record<string, number>>,
  controls: readonly string[] = PAD_CONTROLS,
): string | null {
  let found: string | null = null;
  let most = 0.6;
  for (const control of controls) {
    const size = Math.abs(values[control] ?? 0);
    if (size > most) [found, most] = [control, size];
  }
  return found;
}
