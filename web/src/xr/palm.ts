/** Palm: whether a bare hand is open and shows its palm to the front, from the places of its joints. Y is up. */

import { Vector3 } from "three";
import type { Side } from "./presses";

/** Places of a hand's joints by their WebXR names, metres; `false` where a joint is not known. */
export type JointAt = (name: XRHandJoint, out: Vector3) => boolean;

const FINGERS = ["index-finger", "middle-finger", "ring-finger", "pinky-finger"] as const;
/** A finger is straight where its tip is nearly as far from its knuckle as its bones are long. */
const STRAIGHT = 0.9;
/** How well the palm looks where the person looks, and the fingers point up: 45°. */
const FACING = Math.SQRT1_2;

const wrist = new Vector3();
const index = new Vector3();
const pinky = new Vector3();
const normal = new Vector3();
const a = new Vector3();
const b = new Vector3();

/** `forward`: where the person looks, horizontally, of length 1. */
export function isPalmOpen(joint: JointAt, side: Side, forward: Vector3): boolean {
  if (!joint("wrist", wrist)) return false;
  if (!joint("index-finger-phalanx-proximal", index)) return false;
  if (!joint("pinky-finger-phalanx-proximal", pinky)) return false;
  // Out of the palm: of the right hand from wrist to index across wrist to little finger, of the left the other way.
  normal.copy(index).sub(wrist).cross(a.copy(pinky).sub(wrist)).normalize();
  if (side === "left") normal.negate();
  if (normal.dot(forward) < FACING) return false;
  if (!joint("middle-finger-tip", a) || a.sub(wrist).normalize().y < FACING) return false;
  return FINGERS.every((finger) => isStraight(joint, finger));
}

function isStraight(joint: JointAt, finger: (typeof FINGERS)[number]): boolean {
  const bones = ["phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip"] as const;
  let length = 0;
  if (!joint(`${finger}-${bones[0]}`, a)) return false;
  normal.copy(a);
  for (const bone of bones.slice(1)) {
    if (!joint(`${finger}-${bone}`, b)) return false;
    length += b.distanceTo(a);
    a.copy(b);
  }
  return a.distanceTo(normal) > STRAIGHT * length;
}
