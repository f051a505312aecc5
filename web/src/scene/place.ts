/** Poses of the cell on objects of three.js (below the Z-up root, so coordinates are the cell's own). */

import type { Matrix4, Object3D } from "three";
import { Quaternion, Vector3 } from "three";
import type { Pose } from "../wire/generated";

const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

export function setPose(node: Object3D, { xyz, wxyz }: Pose): void {
  node.position.set(...xyz);
  node.quaternion.set(wxyz[1], wxyz[2], wxyz[3], wxyz[0]);
}

/** The pose of a transform. */
export function readPose(T: Matrix4): Pose {
  T.decompose(position, rotation, scale);
  return {
    xyz: [position.x, position.y, position.z],
    wxyz: [rotation.w, rotation.x, rotation.y, rotation.z],
  };
}

/** The transform of a pose, written into `out`. */
export function poseMatrix({ xyz, wxyz }: Pose, out: Matrix4): Matrix4 {
  rotation.set(wxyz[1], wxyz[2], wxyz[3], wxyz[0]);
  return out.makeRotationFromQuaternion(rotation).setPosition(...xyz);
}
