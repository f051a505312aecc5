/**
 * checkDevice: hold any device and mapping, also one's own, to what robots rely on. It does not touch the device; what it
 * reads is said to it by the caller, who plays the person and the frames.
 */

import { absent, type Device, type Sample } from "./device";
import type { Mapping } from "./mapping";

export interface CheckedDevice {
  readonly device: Device;
  /** One that has seen no sample yet. */
  readonly mapping: () => Mapping;
  /** Have the person hold the dead-man switch and deflect something, or let go of everything. */
  readonly hold: (held: boolean) => void;
  /** Take the device away: pull it, lose its tracking. */
  readonly lose: () => void;
  /** Bring it back. */
  readonly find: () => void;
}

const FRAME_MS = 16;

/** What is wrong, in sentences; empty: nothing. */
export function checkDevice({ device, mapping, hold, lose, find }: CheckedDevice): readonly string[] {
  const faults: string[] = [];
  let now = 1000;
  const read = (): Sample => device.read((now += FRAME_MS));
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };

  const known = new Set(device.controls);
  expect(device.id !== "" && device.title !== "", "it has no id or no title");
  expect(known.size === device.controls.length, "it names a control twice");
  hold(true);
  const sample = read();
  expect(sample.atMs === now, "its sample is not stamped with the frame in which it was read");
  expect(sample.present, "it is not there although nobody has taken it away");
  for (const [name, value] of Object.entries(sample.values)) {
    expect(known.has(name), `it names a control "${name}" that it does not list`);
    expect(Math.abs(value) <= 1, `its control "${name}" says ${value}: allowed are -1 to 1`);
  }

  const held = (map: Mapping, one = read()): boolean => map.take(one)?.held === true;
  const grip = (map: Mapping): boolean => {
    hold(false);
    map.take(read());
    hold(true);
    return held(map);
  };
  const map = mapping();
  expect(!held(map), "what was held before anybody looked counts as held");
  expect(grip(map), "its dead-man switch cannot be held");
  hold(false);
  expect(!held(map), "letting go is not seen in the next frame");
  const losses: readonly (readonly [string, (one: Mapping) => void])[] = [
    [
      "it was lost",
      (one) => {
        lose();
        expect(!held(one), "a device that is gone still holds");
        find();
      },
    ],
    ["the page was left", (one) => void one.take(absent((now += FRAME_MS)))],
    ["the robot has ended the motion", (one) => one.release()],
    [
      "its clock jumped",
      (one) => {
        now += 60_000;
        expect(!held(one), "it holds on through a minute of silence");
      },
    ],
    [
      "it said what is no number",
      (one) => expect(!held(one, { ...read(), values: { x: NaN } }), "what is no number holds"),
    ],
  ];
  for (const [what, happen] of losses) {
    expect(grip(map), `it cannot be held again after a loss`);
    happen(map);
    hold(true);
    expect(!held(map), `after ${what}, what is still held counts without being pressed again`);
  }
  hold(false);
  return faults;
}
