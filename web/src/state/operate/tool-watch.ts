/** ToolWatch: where the tool of the arm that is shown is, asked of the server with its measured joints. */

import type { ForwardReply, Pose, RobotInfo } from "../../wire/generated";
import type { Cell } from "../../wire/studio";
import { compose, IDENTITY } from "../shared/cell-geometry";
import type { Operation } from "./operator";
import { Store } from "../shared/store";
import { tcpOf } from "../teach/taught-arm";

interface ForwardLine {
  forward(
    question: () => {
      readonly type: "forward";
      readonly robot: string;
      readonly arm: string;
      readonly q: readonly number[];
      readonly frame: string;
      readonly base: string;
    },
    answered: (answer: ForwardReply, roundTripMs: number) => void,
  ): void;
}

export class ToolWatch {
  /** In the cell's world, metres; null: not known. */
  readonly pose = new Store<Pose | null>(null);
  #asked = "";

  constructor(
    private readonly operation: Operation,
    private readonly line: ForwardLine,
  ) {}

  /** Ask where the tool is now; the answer also tells how long answers take. */
  look(cell: Cell, robot: string, info: RobotInfo, armName: string): void {
    const item = cell.robots?.find(({ name }) => name === robot);
    const arm = info.arms.find(({ name }) => name === armName);
    const joints = this.operation.arm(robot, armName);
    if (item === undefined || arm === undefined || joints === undefined) {
      this.pose.set(null);
      return;
    }
    const key = `${robot}/${armName}`;
    if (key !== this.#asked) this.pose.set(null);
    this.#asked = key;
    const { frame, T_frame_tcp } = tcpOf(cell, item, arm);
    const rooted = arm.bases.some(({ name }) => name === info.root);
    const base = rooted ? info.root : arm.base;
    this.line.forward(
      () => ({ type: "forward", robot: info.name, arm: armName, q: joints.measured, frame, base }),
      (answer, roundTripMs) => {
        this.operation.roundTripMs.set(roundTripMs);
        if (this.#asked !== key) return;
        this.pose.set(compose(compose(item.pose ?? IDENTITY, answer.pose), T_frame_tcp));
      },
    );
  }
}
