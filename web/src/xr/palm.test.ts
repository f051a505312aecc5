import { Quaternion, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { isPalmOpen, type JointAt } from "./palm";
import type { Side } from "./presses";

/**
 * A hand with its palm to the front (−z) and its fingers up: where its joints are seen from behind, for the right hand.
 * About the size of a grown person's (Buryanov and Kotiuk 2010 give bones of 40, 22 and 18 mm for the index finger).
 */
const KNUCKLES = { "index-finger": -0.03, "middle-finger": -0.01, "ring-finger": 0.01, "pinky-finger": 0.03 };
const BONES = { "phalanx-proximal": 0.09, "phalanx-intermediate": 0.13, "phalanx-distal": 0.155, tip: 0.175 };

function hand(side: Side, turned = new Quaternion(), bent = 0): JointAt {
  const sign = side === "right" ? 1 : -1;
  const joints = new Map<string, Vector3>([["wrist", new Vector3()]]);
  for (const [finger, x] of Object.entries(KNUCKLES)) {
    for (const [bone, y] of Object.entries(BONES)) {
      // A bent finger comes back towards the palm.
      const over = Math.max(0, y - 0.09);
      const place = new Vector3(sign * x, 0.09 + over * Math.cos(bent), -over * Math.sin(bent));
      if (bent > 0 && bone === "tip") place.set(sign * x, 0.09, -0.03);
      joints.set(`${finger}-${bone}`, place);
    }
  }
  return (name, out) => {
    const place = joints.get(name);
    if (place === undefined) return false;
    out.copy(place).applyQuaternion(turned);
    return true;
  };
}

const front = new Vector3(0, 0, -1);
const about = (x: number, y: number, z: number, degrees: number): Quaternion =>
  new Quaternion().setFromAxisAngle(new Vector3(x, y, z), (degrees * Math.PI) / 180);

describe.each(["left", "right"] as const)("the %s hand", (side) => {
  it("is open to the front", () => expect(isPalmOpen(hand(side), side, front)).toBe(true));

  it("may lean a little", () => {
    expect(isPalmOpen(hand(side, about(1, 0, 0, 30)), side, front)).toBe(true);
    expect(isPalmOpen(hand(side, about(0, 1, 0, -30)), side, front)).toBe(true);
  });

  it("shows its back, or its edge", () => {
    expect(isPalmOpen(hand(side, about(0, 1, 0, 180)), side, front)).toBe(false);
    expect(isPalmOpen(hand(side, about(0, 1, 0, 90)), side, front)).toBe(false);
  });

  it("lies flat, as over a table", () =>
    expect(isPalmOpen(hand(side, about(1, 0, 0, -90)), side, front)).toBe(false));

  it("hangs down", () => expect(isPalmOpen(hand(side, about(0, 0, 1, 180)), side, front)).toBe(false));

  it("is a fist", () => expect(isPalmOpen(hand(side, new Quaternion(), 1.6), side, front)).toBe(false));

  it("follows where the person looks", () => {
    const turned = about(0, 1, 0, 120);
    expect(isPalmOpen(hand(side, turned), side, front.clone().applyQuaternion(turned))).toBe(true);
    expect(isPalmOpen(hand(side, turned), side, front)).toBe(false);
  });

  it("is not known", () => expect(isPalmOpen(() => false, side, front)).toBe(false));
});
