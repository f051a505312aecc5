/** TaughtPlace: how far a point is now from where the joints it was taught with bring the tool. */

import type { ForwardReply, Pose, RobotInfo } from "../../wire/generated";
import type { ForwardQuestion } from "../../wire/live";
import type { Cell } from "../../wire/studio";
import { compose, IDENTITY, poseInWorld } from "../shared/cell-geometry";
import { multiply, toVector } from "../shared/rotations";
import { taughtJoints, tcpOf } from "./taught-arm";

/** Metres and radians. */
export interface Apart {
  readonly distance: number;
  readonly angle: number;
}

export interface PlaceLine {
  forward(question: () => ForwardQuestion, answered: (answer: ForwardReply) => void, lane?: string): void;
}

/** Less than this is the rounding of numbers that were typed: 0.1 mm and 0.05°. */
const SAME_M = 1e-4;
const SAME_RAD = 1e-3;

export const isElsewhere = ({ distance, angle }: Apart): boolean => distance > SAME_M || angle > SAME_RAD;

/** Ask how far apart they are; no answer where the point has no joints of this robot. */
export function askTaughtPlace(
  cell: Cell,
  point: string,
  info: RobotInfo,
  line: PlaceLine,
  answered: (apart: Apart) => void,
): void {
  const item = cell.points?.find(({ name }) => name === point);
  const robot = cell.robots?.find(({ name }) => name === item?.robot);
  const world = poseInWorld(cell, point);
  const arm = info.arms.find(({ name }) => name === item?.arm) ?? info.arms[0];
  if (item === undefined || robot === undefined || world === undefined || arm === undefined) return;
  const q = taughtJoints(item, robot.name, info, arm);
  if (q === null) return;
  const { frame, T_frame_tcp } = tcpOf(cell, robot, arm);
  const base = arm.bases.some(({ name }) => name === info.root) ? info.root : arm.base;
  line.forward(
    () => ({ type: "forward", robot: info.name, arm: arm.name, q, frame, base }),
    ({ pose }) => answered(apart(compose(compose(robot.pose ?? IDENTITY, pose), T_frame_tcp), world)),
    "taught",
  );
}

function apart(a: Pose, b: Pose): Apart {
  const [w, x, y, z] = a.wxyz;
  return {
    distance: Math.hypot(...a.xyz.map((value, i) => value - (b.xyz[i] ?? 0))),
    angle: Math.hypot(...toVector(multiply([w, -x, -y, -z], b.wxyz))),
  };
}
