/** What is said to a robot that shall go to a point as long as a person holds a button. Pure. */

import type { ArmInfo } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { poseInWorld } from "./cell-geometry";
import type { JogWish } from "./operating-jog";

/** Go there by the joints it was taught with where they are this arm's, else straight; null: there is no such point. */
export function wishToPoint(
  cell: Cell,
  point: string,
  robot: string,
  arm: ArmInfo,
  share: number,
): JogWish | null {
  const item = cell.points?.find(({ name }) => name === point);
  const pose = poseInWorld(cell, point);
  if (item === undefined || pose === undefined) return null;
  const isOwn = item.robot === robot && ((item.arm ?? "") === "" || item.arm === arm.name);
  if (item.q != null && isOwn && item.q.length === arm.joints.length)
    return { type: "joints", target: item.q, scale: share };
  return { type: "pose", pose, relative: false, frame: "world", scale: share };
}
