/** Bring a robot to a point as long as a person holds a button: to where the point is now, in the posture it was taught with. */

import type { ArmInfo, InverseReply, RobotInfo } from "../../wire/generated";
import type { InverseQuestion } from "../../wire/live";
import type { Cell } from "../../wire/studio";
import { compose, IDENTITY, invert, poseInWorld } from "../shared/cell-geometry";
import type { Jogging, JogCommand } from "../operate/jog";
import { type Words, wordsOf } from "../shared/said";
import { taughtJoints, tcpOf } from "./taught-arm";
import { t } from "../texts";

export interface GoLine {
  inverse(
    question: () => InverseQuestion,
    answered: (answer: InverseReply) => void,
    dropped: () => void,
    lane?: string,
  ): void;
}

/** Which arm shall go where. */
export interface PointGoal {
  readonly cell: Cell;
  readonly point: string;
  readonly robot: string;
  readonly info: RobotInfo;
  readonly arm: ArmInfo;
  /** Of its full speed by hand, 0 to 1. */
  readonly share: number;
}

/**
 * Hold the arm's jog on the way to a point. Where the point knows joints of this arm, the arm moves joint by joint to
 * the solution nearest to them; otherwise it goes straight.
 */
export function goToPoint(
  goal: PointGoal,
  key: string,
  jogging: Jogging,
  line: GoLine,
  complain: (sentence: string) => void,
): void {
  const { cell, robot, info, arm, share } = goal;
  const point = cell.points?.find(({ name }) => name === goal.point);
  const world = poseInWorld(cell, goal.point);
  const item = cell.robots?.find(({ name }) => name === robot);
  if (point === undefined || world === undefined || item === undefined) return;
  const hint = taughtJoints(point, robot, info, arm);
  let command: JogCommand | null =
    hint === null ? { type: "pose", pose: world, relative: false, frame: "world", scale: share } : null;
  const jog = { key, robot, arm: arm.name, command: () => command };
  void jogging.begin(jog);
  if (hint === null) return;
  const { frame, T_frame_tcp } = tcpOf(cell, item, arm);
  const base = arm.bases.some(({ name }) => name === info.root) ? info.root : arm.base;
  const pose = compose(compose(invert(item.pose ?? IDENTITY), world), invert(T_frame_tcp));
  const fail = (why: Words): void => {
    if (jogging.end(jog)) complain(wordsOf(why));
  };
  line.inverse(
    () => ({ type: "inverse", robot: info.name, arm: arm.name, pose, frame, base, seed: hint }),
    ({ branches, reason, said }) => {
      const target = branches[0]?.q;
      if (target === undefined) fail(said ?? reason ?? t("page.notDone"));
      else command = { type: "joints", target, scale: share };
    },
    () => fail(t("page.notDone")),
    "go",
  );
}
