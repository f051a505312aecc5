/**
 * Where a panel opens: before the person, facing them, upright, above the floor. In the person's own space: Y is up, the
 * floor is at 0, metres.
 */

import { Matrix4, Quaternion, Vector3 } from "three";

/** At arm's length and a little more: everything is read and reached without a step. */
export const BEFORE_M = 0.85;
/** The eyes rest below the horizon. */
export const BELOW_M = 0.14;
/** Between a panel and the floor. */
export const FLOOR_M = 0.05;

const forward = new Vector3();
const away = new Vector3();
const right = new Vector3();
const up = new Vector3();
const turned = new Matrix4();

/** Where a person looks, horizontally; written into `out`, of length 1. */
export function horizontal(quaternion: Quaternion, out: Vector3): Vector3 {
  out.set(0, 0, -1).applyQuaternion(quaternion);
  // Who looks straight up or down looks there with the brow or the chin.
  if (Math.hypot(out.x, out.z) < 0.2) out.set(0, out.y > 0 ? -1 : 1, 0).applyQuaternion(quaternion);
  out.y = 0;
  return out.normalize();
}

/** Turn `node` so that its front (z) looks at `eye`, without roll. */
export function face(
  node: { readonly position: Vector3; readonly quaternion: Quaternion },
  eye: Vector3,
): void {
  away.copy(eye).sub(node.position);
  // From right above or below there is no upright way: it stays as it is.
  if (Math.hypot(away.x, away.z) < 1e-3) return;
  away.normalize();
  right.set(away.z, 0, -away.x).normalize();
  up.copy(away).cross(right);
  node.quaternion.setFromRotationMatrix(turned.makeBasis(right, up, away));
}

/**
 * Put a panel of this height before the person. `aside`: how far it is turned about the person, radians, positive to the
 * left; a list stands beside the menu so.
 */
export function placeBefore(
  node: { readonly position: Vector3; readonly quaternion: Quaternion },
  eye: { readonly position: Vector3; readonly quaternion: Quaternion },
  height: number,
  aside = 0,
): void {
  horizontal(eye.quaternion, forward).applyAxisAngle(up.set(0, 1, 0), aside);
  node.position.copy(eye.position).addScaledVector(forward, BEFORE_M);
  node.position.y -= BELOW_M;
  face(node, eye.position);
  raise(node, height);
  face(node, eye.position);
}

/** Raise a panel of this height until its lower edge is above the floor, also where it leans. */
export function raise(
  node: { readonly position: Vector3; readonly quaternion: Quaternion },
  height: number,
): void {
  const { y } = up.set(0, 1, 0).applyQuaternion(node.quaternion);
  node.position.y = Math.max(node.position.y, FLOOR_M + (height / 2) * Math.abs(y));
}
