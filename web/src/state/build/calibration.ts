/** Calibrating: a tool's working point from touches of one point, a work object from three points. */

import type { FrameFound, FrameTouches, Pose, TcpFound, TcpTouches } from "../../wire/generated";
import { frameOf, poseInFrame } from "../shared/cell-geometry";
import type { Project } from "../shared/project";
import type { Vector } from "../shared/rotations";
import { Store } from "../shared/store";

export type Task = { readonly kind: "tool" | "frame"; readonly name: string };

export type Outcome =
  | { readonly state: "found"; readonly tool: TcpFound }
  | { readonly state: "found"; readonly frame: FrameFound }
  | { readonly state: "refused"; readonly message: string };

export interface CalibratingCalls {
  readonly findTool: (touches: TcpTouches) => Promise<TcpFound>;
  readonly findFrame: (touches: FrameTouches) => Promise<FrameFound>;
}

export const TOOL_TOUCHES = 4;
export const FRAME_TOUCHES = 3;

export class Calibrating {
  /** What is being calibrated; null: nothing. */
  readonly task = new Store<Task | null>(null);
  /** Flanges (for a tool) or tool points (for a frame), in the world, in the order in which they were touched. */
  readonly touches = new Store<readonly Pose[]>([]);
  readonly outcome = new Store<Outcome | null>(null);

  constructor(
    private readonly project: Project,
    private readonly calls: CalibratingCalls,
    private readonly inWords: (error: unknown) => string,
  ) {}

  start(task: Task): void {
    this.task.set(task);
    this.touches.set([]);
    this.outcome.set(null);
  }

  stop(): void {
    this.task.set(null);
    this.touches.set([]);
    this.outcome.set(null);
  }

  /** How many touches it takes at least. */
  get needed(): number {
    return this.task.value?.kind === "frame" ? FRAME_TOUCHES : TOOL_TOUCHES;
  }

  /** One more touch; with enough of them the answer is asked for. */
  async touch(world: Pose): Promise<void> {
    await this.#set([...this.touches.value, world]);
  }

  async forget(index: number): Promise<void> {
    await this.#set(this.touches.value.filter((_, i) => i !== index));
  }

  /** Make what was found true, as one edit. */
  async apply(): Promise<boolean> {
    const task = this.task.value;
    const found = this.outcome.value;
    if (task === null || found === null || found.state !== "found") return false;
    const pose = "tool" in found ? this.#tcp(task.name, found.tool.xyz) : this.#frame(task.name, found.frame);
    if (pose === null) return false;
    const done = await this.project.edit({ edit: "cell", command: { do: "move", name: task.name, pose } });
    if (done) this.stop();
    return done;
  }

  /** Touches tell where the working point is; which way it looks stays as it was. */
  #tcp(name: string, xyz: Vector): Pose | null {
    const tool = this.project.cell.value.tools?.find((one) => one.name === name);
    return tool === undefined ? null : { xyz, wxyz: tool.tcp.wxyz };
  }

  #frame(name: string, { pose }: FrameFound): Pose | null {
    const cell = this.project.cell.value;
    const parent = frameOf(cell, name);
    return parent === undefined ? null : (poseInFrame(cell, parent, pose) ?? null);
  }

  async #set(touches: readonly Pose[]): Promise<void> {
    const task = this.task.value;
    if (task === null) return;
    this.touches.set(touches);
    this.outcome.set(null);
    if (touches.length < this.needed) return;
    let outcome: Outcome;
    try {
      if (task.kind === "tool") {
        outcome = { state: "found", tool: await this.calls.findTool({ flanges: touches }) };
      } else {
        const [origin, onX, inXy, ...further] = touches.map(({ xyz }) => xyz);
        if (origin === undefined || onX === undefined || inXy === undefined) return;
        const frame = await this.calls.findFrame({ origin, on_x: onX, in_xy: inXy, further });
        outcome = { state: "found", frame };
      }
    } catch (error) {
      outcome = { state: "refused", message: this.inWords(error) };
    }
    // More may have been touched meanwhile.
    if (this.touches.value === touches) this.outcome.set(outcome);
  }
}
