/** Where the camera stands for each named view. */

import { Box3, type Object3D, type PerspectiveCamera, Sphere, Vector3 } from "three";
import type { NamedView } from "../state/view";
import { toThree } from "./up";

/** Directions from the robot to the camera, in the robot's world. */
const DIRECTIONS: Readonly<Record<Exclude<NamedView, "fit">, readonly [number, number, number]>> = {
  iso: [1, -1.15, 0.62],
  front: [1, 0, 0.04],
  left: [0, 1, 0.04],
  // A hair to the side, so that x points right and y up on the screen.
  top: [0, -0.0001, 1],
};

const box = new Box3();
const sphere = new Sphere();

export interface CameraPlace {
  readonly target: Vector3;
  readonly offset: Vector3;
}

/** Return where the camera stands so that the whole robot is seen; `fit` keeps the direction it has. */
export function placeCamera(
  view: NamedView,
  robot: Object3D,
  camera: PerspectiveCamera,
  lookingAt: Vector3,
): CameraPlace {
  box.setFromObject(robot);
  if (box.isEmpty()) box.set(new Vector3(-0.4, 0, -0.4), new Vector3(0.4, 0.8, 0.4));
  box.getBoundingSphere(sphere);
  const direction =
    view === "fit" ? camera.position.clone().sub(lookingAt) : toThree(new Vector3(...DIRECTIONS[view]));
  const half = (camera.fov * Math.PI) / 360;
  const narrow = Math.min(half, Math.atan(Math.tan(half) * camera.aspect));
  const distance = (1.1 * Math.max(0.25, sphere.radius)) / Math.sin(narrow);
  return { target: sphere.center.clone(), offset: direction.normalize().multiplyScalar(distance) };
}
