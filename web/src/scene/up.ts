/**
 * The one place where Z up (robots) meets Y up (three.js): everything of the robot's world hangs
 * below one node that is turned by −90° about x. Robot x stays x, robot z becomes y, robot y becomes −z.
 */

import { Object3D, type Vector3 } from "three";

/** Make the node below which coordinates are those of the robot's world: Z up, X forward, metres. */
export function makeZUpRoot(): Object3D {
  const root = new Object3D();
  root.name = "z-up world";
  root.rotation.x = -Math.PI / 2;
  root.updateMatrixWorld(true);
  return root;
}

/** Turn a point or direction of the robot's world into one of three.js, in place. */
export function toThree(v: Vector3): Vector3 {
  return v.set(v.x, v.z, -v.y);
}

/** Turn a point or direction of three.js into one of the robot's world, in place. */
export function toRobotWorld(v: Vector3): Vector3 {
  return v.set(v.x, -v.z, v.y);
}
