/** TaughtArm: one arm of a cell with its control, and what is to be known of it before it is taught. */

import type { ArmInfo, Pose, RobotInfo } from "../../wire/generated";
import type { Cell, CellPoint, CellRobot } from "../../wire/studio";
import type { ArmControl } from "./arm-control";
import { IDENTITY } from "../shared/cell-geometry";
import { onChange } from "../shared/store";

/** One arm of the cell, made ready to be taught. */
export interface TaughtArm {
  /** As the cell calls them. */
  readonly robot: string;
  readonly arm: string;
  readonly info: RobotInfo;
  readonly control: ArmControl;
  /** The frame of the arm in which the TCP is given, and the TCP in it; the control may look at another. */
  readonly frame: string;
  readonly T_frame_tcp: Pose;
  /** The base in which that frame is asked for: the robot's root, where it can be. */
  readonly base: string;
}

/** The joints that an arm of a cell starts with. */
export function startOf(item: CellRobot, arm: ArmInfo): readonly number[] {
  return item.joints?.[arm.name] ?? arm.postures[0]?.q ?? arm.joints.map(() => 0);
}

/** In which frame of the arm the TCP of what it carries is given, and where. */
export function tcpOf(
  cell: Cell,
  item: CellRobot,
  arm: ArmInfo,
): { readonly frame: string; readonly T_frame_tcp: Pose } {
  const chosen = item.tools?.[arm.name];
  if (chosen === undefined) return { frame: arm.tool?.tcp ?? arm.flange, T_frame_tcp: IDENTITY };
  const tool = cell.tools?.find(({ name }) => name === chosen);
  return { frame: arm.flange, T_frame_tcp: tool?.tcp ?? IDENTITY };
}

/** The joints a point was taught with, where they are those of this arm; they choose the posture, never the place. */
export function taughtJoints(
  point: CellPoint | undefined,
  robot: string,
  info: RobotInfo,
  arm: ArmInfo,
): readonly number[] | null {
  if (point?.q == null || point.robot !== robot || point.q.length !== arm.joints.length) return null;
  const own = (point.arm ?? "") === "" ? info.arms[0]?.name : point.arm;
  return own === arm.name ? point.q : null;
}

const WAIT_MS = 2000;

/** Wait until the server has said where the arm is now; false where it does not in time. */
export function settled(control: ArmControl): Promise<boolean> {
  return new Promise((resolve) => {
    if (control.resting) {
      resolve(true);
      return;
    }
    const end = (isThere: boolean): void => {
      clearTimeout(timer);
      for (const leave of leaving) leave();
      resolve(isThere);
    };
    const look = (): void => {
      if (control.resting) end(true);
    };
    const timer = setTimeout(() => end(false), WAIT_MS);
    // A wish without an answer ends without another stance.
    const leaving = [control.stance, control.aim, control.unreached].map((one) =>
      onChange<unknown>(one, look),
    );
    control.refresh();
  });
}

export function isSamePose(a: Pose, b: Pose): boolean {
  return [...a.xyz, ...a.wxyz].every((value, i) => value === [...b.xyz, ...b.wxyz][i]);
}
