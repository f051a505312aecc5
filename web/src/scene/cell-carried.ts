/** CellCarried: while operating, parts are where the run has brought them: in a hand, or laid down. */

import { Matrix4 } from "three";
import type { PartPlace } from "../wire/studio";
import type { CellObjects } from "./cell-objects";
import { linkOf } from "./cell-robot";
import type { CellRobots } from "./cell-robots";
import { poseMatrix, readPose } from "./place";
import type { Viewport } from "./viewport";

export class CellCarried {
  readonly #T_world_part = new Matrix4();
  readonly #T_flange_part = new Matrix4();

  constructor(
    private readonly viewport: Viewport,
    private readonly robots: CellRobots,
    private readonly objects: CellObjects,
  ) {}

  /** Place parts; call it after the joints are set. */
  show(parts: readonly PartPlace[]): void {
    for (const { name, arm, pose } of parts) {
      if (arm === "") {
        this.objects.place(name, pose);
        continue;
      }
      const [robot = "", which = ""] = arm.split("/");
      const view = this.robots.view(robot);
      const info = view?.info.arms.find((one) => one.name === which);
      const flange = info === undefined ? undefined : view?.model.link(linkOf(info, info.flange));
      if (flange === undefined) continue;
      flange.updateWorldMatrix(true, false);
      this.#T_world_part
        .copy(this.viewport.world.matrixWorld)
        .invert()
        .multiply(flange.matrixWorld)
        .multiply(poseMatrix(pose, this.#T_flange_part));
      this.objects.place(name, readPose(this.#T_world_part));
    }
  }
}
