/** Where the camera stands for each named view. */

import { type Box3, type PerspectiveCamera, Vector3 } from "three";
import type { NamedView } from "../state/shared/view";
import { toThree } from "./up";

/** Directions from the robot to the camera, in the robot's world. */
const DIRECTIONS: Readonly<Record<Exclude<NamedView, "fit">, readonly [number, number, number]>> = {
  iso: [1, -1.15, 0.62],
  front: [1, 0, 0.04],
  back: [-1, 0, 0.04],
  left: [0, 1, 0.04],
  right: [0, -1, 0.04],
  // A hair to the side, so that x points right and y up on the screen.
  top: [0, -0.0001, 1],
  bottom: [0, -0.0001, -1],
};

/** Room left around the robot. */
const MARGIN = 1.12;

const corner = new Vector3();
const right = new Vector3();
const up = new Vector3();
const UP = new Vector3(0, 1, 0);

export interface CameraPlace {
  readonly target: Vector3;
  readonly offset: Vector3;
}

/** Return where the camera stands so that all of `box` is seen; `fit` keeps the direction it has. */
export function placeCamera(
  view: NamedView,
  box: Box3,
  camera: PerspectiveCamera,
  lookingAt: Vector3,
): CameraPlace {
  const target = box.getCenter(new Vector3());
  const direction =
    view === "fit" ? camera.position.clone().sub(lookingAt) : toThree(new Vector3(...DIRECTIONS[view]));
  direction.normalize();
  right.crossVectors(UP, direction).normalize();
  up.crossVectors(direction, right);
  const tall = Math.tan((camera.fov * Math.PI) / 360);
  const wide = tall * camera.aspect;
  let distance = 0.5;
  for (let i = 0; i < 8; i++) {
    corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
    corner.sub(target);
    const across = Math.max(Math.abs(corner.dot(right)) / wide, Math.abs(corner.dot(up)) / tall);
    distance = Math.max(distance, corner.dot(direction) + MARGIN * across);
  }
  return { target, offset: direction.multiplyScalar(distance) };
}
