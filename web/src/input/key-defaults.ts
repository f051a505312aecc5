/** What keys do, by their place on the keyboard: W is above S whatever is printed on them. */

import { BUTTON } from "./curve";
import { FULL_TURN, type TwistSettings } from "./twist-mapping";

const KEYS = [
  ["KeyW", "x", 1],
  ["KeyS", "x", -1],
  ["KeyA", "y", 1],
  ["KeyD", "y", -1],
  ["KeyR", "z", 1],
  ["KeyF", "z", -1],
  ["KeyU", "rx", 1],
  ["KeyJ", "rx", -1],
  ["KeyI", "ry", 1],
  ["KeyK", "ry", -1],
  ["KeyO", "rz", 1],
  ["KeyL", "rz", -1],
] as const;

/** As in `openpendant jog`; Shift is the dead-man switch. */
export const KEY_DEFAULTS: TwistSettings = {
  deadMan: ["ShiftLeft", "ShiftRight"],
  axes: KEYS.map(([control, axis, gain]) => ({ control, axis, gain, curve: BUTTON })),
  reverse: "",
  buttons: [],
  frame: "base",
  linear: 0.25,
  angular: FULL_TURN,
  scale: 0.3,
};
