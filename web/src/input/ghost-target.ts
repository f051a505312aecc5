/** GhostTarget: the arm that is taught, as a ghost. Nothing of it moves a robot, so it needs no dead-man switch. */

import { compose, IDENTITY, invert, turn } from "../state/shared/cell-geometry";
import { clampTo } from "../state/shared/joints";
import { multiply, type Vector } from "../state/shared/rotations";
import { Store } from "../state/shared/store";
import type { JogCommand } from "../state/operate/jog";
import type { Teaching } from "../state/teach/teacher";
import type { Pose } from "../wire/generated";
import type { Wish } from "./mapping";
import type { Target } from "./pilot";

/** A frame that came later than this counts as one of this length: after a stall the ghost does not leap. */
const MOST_S = 0.1;

export class GhostTarget implements Target {
  readonly ended = new Store(0);
  #lastMs = -Infinity;
  /** Where hand and tool were when the hand took hold. */
  #taken: { readonly hand: Pose; readonly tool: Pose } | null = null;

  constructor(
    private readonly teaching: Pick<Teaching, "taught" | "tcp" | "nudge" | "follow" | "setDragging">,
  ) {}

  follow({ atMs, command }: Wish): void {
    const seconds = Math.min(MOST_S, Math.max(0, (atMs - this.#lastMs) / 1000));
    this.#lastMs = atMs;
    if (command?.type === "pose") this.#take(command);
    else this.letGo();
    if (command?.type === "twist") this.#nudge(command, seconds);
    if (command?.type === "joints") this.#turn(command, seconds);
  }

  letGo(): void {
    if (this.#taken === null) return;
    this.#taken = null;
    this.teaching.setDragging(false);
  }

  #nudge(command: Extract<JogCommand, { type: "twist" }>, seconds: number): void {
    const { linear, angular = [0, 0, 0], frame = "base", view = [1, 0, 0, 0], scale = 1 } = command;
    const times = (rates: readonly [number, number, number]): Vector => {
      const way: Vector = [
        rates[0] * scale * seconds,
        rates[1] * scale * seconds,
        rates[2] * scale * seconds,
      ];
      return frame === "view" ? turn(view, way) : way;
    };
    this.teaching.nudge(times(linear), times(angular), frame === "view" ? "world" : frame);
  }

  #turn(command: Extract<JogCommand, { type: "joints" }>, seconds: number): void {
    const control = this.teaching.taught.value?.control;
    const { velocity, scale = 1 } = command;
    if (control === undefined || velocity == null) return;
    const { joints } = control.info;
    velocity.forEach((rate, i) => {
      const joint = joints[i];
      const now = control.q.value[i];
      if (rate !== 0 && joint !== undefined && now !== undefined)
        control.setJoint(i, clampTo(joint, now + rate * scale * seconds));
    });
  }

  /** The tool makes the way of the hand, and turns with it. */
  #take({
    pose: hand,
    relative = true,
    scale = 1,
    locked = [],
  }: Extract<JogCommand, { type: "pose" }>): void {
    const { tcp } = this.teaching;
    if (tcp.value === null) return;
    if (!relative) {
      this.teaching.follow(hand);
      return;
    }
    if (this.#taken === null) {
      this.#taken = { hand, tool: tcp.value };
      this.teaching.setDragging(true);
    }
    const { hand: from, tool } = this.#taken;
    const way = (i: 0 | 1 | 2, axis: "x" | "y" | "z"): number =>
      locked.includes(axis) ? tool.xyz[i] : tool.xyz[i] + scale * (hand.xyz[i] - from.xyz[i]);
    const spin = compose({ ...IDENTITY, wxyz: hand.wxyz }, invert({ ...IDENTITY, wxyz: from.wxyz })).wxyz;
    const still = locked.some((axis) => axis.startsWith("r"));
    this.teaching.follow({
      xyz: [way(0, "x"), way(1, "y"), way(2, "z")],
      wxyz: still ? tool.wxyz : multiply(spin, tool.wxyz),
    });
  }
}
