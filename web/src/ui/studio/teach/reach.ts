/** Which points the arm that is taught can reach: asked one by one, on its own line, beside the arm's own questions. */

import { compose, invert, poseInWorld } from "../../../state/shared/cell-geometry";
import type { Words } from "../../../state/shared/said";
import { Store } from "../../../state/shared/store";
import type { TaughtArm } from "../../../state/teach/teacher";
import type { Pose } from "../../../wire/generated";
import { Live } from "../../../wire/live";
import type { Cell } from "../../../wire/studio";

/** By point: why it cannot be reached; null: it can. Not there: not known yet. */
export type Reached = Readonly<Record<string, Words | null>>;

export class ReachMarks {
  readonly reached = new Store<Reached>({});
  readonly #live: Live;
  #round = 0;
  #again: (() => void) | null = null;

  constructor(makeSocket: () => WebSocket) {
    this.#live = new Live(makeSocket, {
      statusChanged: (status) => {
        if (status === "open") this.#again?.();
      },
      failed: () => undefined,
      slowChanged: () => undefined,
    });
    this.#live.connect();
  }

  /** Ask for all points again; what is known of those that have not moved stays meanwhile. */
  update(cell: Cell, taught: TaughtArm): void {
    const round = ++this.#round;
    this.#again = () => this.update(cell, taught);
    const names = (cell.points ?? []).map(({ name }) => name);
    this.reached.set(
      Object.fromEntries(Object.entries(this.reached.value).filter(([name]) => names.includes(name))),
    );
    const root = cell.robots?.find(({ name }) => name === taught.robot)?.pose;
    const next = (index: number): void => {
      const point = cell.points?.[index];
      if (point === undefined || round !== this.#round) return;
      const world = poseInWorld(cell, point.name);
      const pose = world === undefined ? null : goal(root, world, taught);
      if (pose === null) {
        next(index + 1);
        return;
      }
      const { control } = taught;
      const fits = point.q?.length === control.info.joints.length;
      this.#live.inverse(
        () => ({
          type: "inverse",
          robot: control.robot,
          arm: control.info.name,
          pose,
          frame: taught.frame,
          base: taught.base,
          seed: fits ? (point.q ?? control.q.value) : control.q.value,
        }),
        (answer) => {
          if (round !== this.#round) return;
          const why = answer.branches.length > 0 ? null : (answer.said ?? answer.reason ?? "");
          this.reached.set({ ...this.reached.value, [point.name]: why });
          next(index + 1);
        },
        () => undefined,
      );
    };
    next(0);
  }

  dispose(): void {
    this.#round++;
    this.#live.dispose();
  }
}

function goal(root: Pose | undefined, world: Pose, taught: TaughtArm): Pose {
  const inRobot = root === undefined ? world : compose(invert(root), world);
  return compose(inRobot, invert(taught.T_frame_tcp));
}
