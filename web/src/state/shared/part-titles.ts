/** Titles that the catalogue gives to arms, joints and tools, in the person's language; imported robots have their own. */

import { t, type TextKey } from "../texts";

const KEYS: Readonly<Record<string, TextKey>> = {
  "Left arm": "robot.part.leftArm",
  "Right arm": "robot.part.rightArm",
  Base: "robot.part.base",
  Shoulder: "robot.part.shoulder",
  Elbow: "robot.part.elbow",
  "Two-finger gripper": "robot.part.fingers",
  "Servo gripper, left": "robot.part.leftServo",
  "Servo gripper, right": "robot.part.rightServo",
  "MIG welding torch": "robot.part.torch",
};

const NUMBERED: Readonly<Record<string, TextKey>> = {
  Axis: "robot.part.axis",
  Wrist: "robot.part.wrist",
};

export function partTitle(title: string): string {
  const key = KEYS[title];
  if (key !== undefined) return t(key);
  const [, word = "", number = ""] = /^(\w+) (\d+)$/.exec(title) ?? [];
  const numbered = NUMBERED[word];
  return numbered === undefined ? title : t(numbered, { number });
}
