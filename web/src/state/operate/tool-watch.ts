/** ToolWatch: where the tool of the arm that is shown is, asked of the server with its measured joints. */

import type { ForwardReply, Pose, RobotInfo, VendorPose } from "../../wire/generated";
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
      readonly tcp?: Pose;
    },
    answered: (answer: ForwardReply, roundTripMs: number) => void,
  ): void;
}

export class ToolWatch {
  /** In the cell's world, metres; null: not known. */
  readonly pose = new Store<Pose | null>(null);
  /** As the maker's controller prints it, in its own frames; null: not known. */
  readonly printed = new Store<VendorPose | null>(null);
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
      this.#forget();
      return;
    }
    const key = `${robot}/${armName}`;
    if (key !== this.#asked) this.#forget();
    this.#asked = key;
    const { frame, T_frame_tcp } = tcpOf(cell, item, arm);
    const tcp = T_frame_tcp === IDENTITY ? {} : { tcp: T_frame_tcp };
    const rooted = arm.bases.some(({ name }) => name === info.root);
    const base = rooted ? info.root : arm.base;
    this.line.forward(
      () => ({ type: "forward", robot: info.name, arm: armName, q: joints.measured, frame, base, ...tcp }),
      (answer, roundTripMs) => {
        this.operation.roundTripMs.set(roundTripMs);
        if (this.#asked !== key) return;
        this.pose.set(compose(compose(item.pose ?? IDENTITY, answer.pose), T_frame_tcp));
        this.printed.set(answer.vendor);
      },
    );
  }

  #forget(): void {
    this.pose.set(null);
    this.printed.set(null);
  }
}
