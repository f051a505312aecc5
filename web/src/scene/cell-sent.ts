/** CellSent: while operating, a ghost of every robot that is not where it was sent. */

import { APART, divergence, type JointsNow } from "../state/operate/frames";
import type { CellRobotView } from "./cell-robot";
import type { CellRobots } from "./cell-robots";
import { RobotGhost } from "./robot-ghost";
import type { Viewport } from "./viewport";

interface Shown {
  readonly ghost: RobotGhost;
  readonly view: CellRobotView;
}

export class CellSent {
  readonly #ghosts = new Map<string, Shown>();

  constructor(
    private readonly viewport: Viewport,
    private readonly robots: CellRobots,
  ) {}

  /** Show where robots were sent, where they are not there; null: nothing. */
  show(joints: JointsNow | null): void {
    for (const { ghost } of this.#ghosts.values()) ghost.node.visible = false;
    for (const [key, arm] of Object.entries(joints ?? {})) {
      const { sent } = arm;
      if (sent === null || divergence(arm) <= APART) continue;
      const [robot = "", name = ""] = key.split("/");
      const shown = this.#ghost(robot);
      const info = shown?.view.info.arms.find((one) => one.name === name);
      if (shown === null || info === undefined) continue;
      info.joints.forEach((joint, i) => shown.ghost.setJoint(joint.name, sent[i] ?? 0));
      shown.ghost.node.visible = true;
    }
    this.viewport.invalidate();
  }

  dispose(): void {
    for (const { ghost } of this.#ghosts.values()) ghost.dispose();
    this.#ghosts.clear();
  }

  /** Made when it is first needed, and again where the robot was. */
  #ghost(robot: string): Shown | null {
    const view = this.robots.view(robot);
    const known = this.#ghosts.get(robot);
    if (known !== undefined && known.view === view) {
      known.ghost.node.position.copy(known.view.node.position);
      known.ghost.node.quaternion.copy(known.view.node.quaternion);
      return known;
    }
    known?.ghost.dispose();
    this.#ghosts.delete(robot);
    if (view?.complete !== true) return null;
    const shown = { ghost: new RobotGhost(view), view };
    this.viewport.world.add(shown.ghost.node);
    this.#ghosts.set(robot, shown);
    return shown;
  }
}
