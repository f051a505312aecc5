/** CellHands: what hands in a headset do with a cell: point at it along rays, choose, and hold the handle of a tool. */

import type { Matrix4, Ray } from "three";
import type { Project } from "../state/shared/project";
import type { Teaching } from "../state/teach/teacher";
import type { CellGhost } from "./cell-ghost";
import type { CellPicking, Hit } from "./cell-picking";
import type { CellRobots } from "./cell-robots";
import type { ToolHandle } from "./tool-handle";

export interface CellHandsParts {
  readonly project: Project;
  readonly teaching: Teaching;
  readonly robots: CellRobots;
  readonly picking: CellPicking;
  readonly handle: ToolHandle;
  readonly ghost: CellGhost;
  /** A thing of the cell is pointed at; null: none. */
  readonly light: (name: string | null) => void;
  readonly placeHandle: () => void;
}

export class CellHands {
  constructor(private readonly parts: CellHandsParts) {}

  /** The handle at what is moved. */
  get handle(): ToolHandle {
    return this.parts.handle;
  }

  /** Where the tool of the arm that is taught is drawn, in the cell's world. The matrix is only lent. */
  get T_world_ghost(): Matrix4 {
    return this.parts.ghost.T_world_tcp;
  }

  /** Show the handle where it has something to move, or never. */
  allowHandle(allowed: boolean): void {
    this.parts.handle.setAllowed(allowed);
    this.parts.placeHandle();
  }

  /** Where a ray (three's axes) meets a body. */
  hitAlong(ray: Ray): Hit | null {
    return this.parts.picking.hitAlong(ray);
  }

  /** Outline a thing of the cell as one that is pointed at; null: none. */
  light(name: string | null): void {
    this.parts.light(name);
  }

  /** Choose what is pointed at; in Teach, one of several arms is then taught. */
  choose(hit: Hit | null): void {
    this.parts.project.selection.set(hit === null ? [] : [hit.name]);
    if (hit !== null) this.chooseArm(hit.name, hit);
  }

  /** In Teach, whoever meets one of several arms teaches it. */
  chooseArm(robot: string, hit: Hit | null): void {
    const { project, robots, teaching } = this.parts;
    const view = robots.view(robot);
    if (project.mode.value !== "teach" || view === null || view.info.arms.length < 2) return;
    const arm = hit?.name === robot ? view.model.armOf(hit.mesh, view.info.arms) : undefined;
    if (arm !== undefined) void teaching.choose(robot, arm.name);
  }
}
