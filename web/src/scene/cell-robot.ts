/** CellRobot: a robot of a cell in the view: its bodies, where it stands, and what it carries. */

import { Object3D } from "three";
import { IDENTITY } from "../state/shared/cell-geometry";
import { startOf } from "../state/teach/taught-arm";
import { t } from "../state/texts";
import type { ArmInfo, RobotInfo } from "../wire/generated";
import type { Cell, CellRobot as Item, CellTool } from "../wire/studio";
import { type CellToolParts, CellToolView } from "./cell-tool";
import { setPose } from "./place";
import type { LoadProgress } from "./robot-model";
import { RobotModel } from "./robot-model";

export class CellRobotView {
  readonly node = new Object3D();
  bodies: LoadProgress = { loaded: 0, total: 1, failed: [] };
  /** By arm. */
  readonly #tools = new Map<string, CellToolView>();
  /** What the tools are made of: only where that changes they are rebuilt. */
  #dressed = "";
  #item: Item;
  #cell: Cell;

  /** Load a robot of a cell; its bodies arrive later. */
  static async load(
    item: Item,
    cell: Cell,
    info: RobotInfo,
    signal: AbortSignal,
    parts: CellToolParts,
  ): Promise<CellRobotView> {
    let view: CellRobotView | null = null;
    let state: LoadProgress = { loaded: 0, total: 1, failed: [] };
    const model = await RobotModel.load(info, signal, (now) => {
      state = now;
      if (view !== null) view.bodies = now;
      parts.changed();
      if (now.loaded === now.total && now.failed.length > 0) parts.complain(missing(now.failed));
    });
    view = new CellRobotView(item, cell, info, model, parts);
    view.bodies = state;
    return view;
  }

  private constructor(
    item: Item,
    cell: Cell,
    readonly info: RobotInfo,
    readonly model: RobotModel,
    private readonly parts: CellToolParts,
  ) {
    this.#item = item;
    this.#cell = cell;
    this.node.userData["robot"] = item.name;
    this.node.add(model.node);
    this.update(item, cell);
    this.rest();
  }

  /** True where all bodies are there, or will never be. */
  get complete(): boolean {
    return (
      this.bodies.loaded === this.bodies.total && [...this.#tools.values()].every(({ complete }) => complete)
    );
  }

  get name(): string {
    return this.#item.name;
  }

  /** Follow the document. */
  update(item: Item, cell: Cell): void {
    this.#item = item;
    this.#cell = cell;
    setPose(this.node, item.pose ?? IDENTITY);
    this.#dress();
  }

  /** Joints of an arm, by its name. */
  setJoints(arm: string, q: readonly number[]): void {
    const found = this.info.arms.find((one) => one.name === arm);
    found?.joints.forEach(({ name }, i) => this.model.setJoint(name, q[i] ?? 0));
  }

  /** How far each finger of an arm's tool is open, metres. */
  setOpening(arm: string, opening: number): void {
    const found = this.info.arms.find((one) => one.name === arm);
    for (const { name } of found?.tool?.fingers ?? []) this.model.setJoint(name, opening);
    this.#tools.get(arm)?.setOpening(opening);
  }

  /** Put every arm where the document says it starts, fingers open. */
  rest(): void {
    for (const arm of this.info.arms) {
      this.setJoints(arm.name, startOf(this.#item, arm));
      for (const { name, upper } of arm.tool?.fingers ?? []) this.model.setJoint(name, upper ?? 0);
      this.#tools.get(arm.name)?.setOpening();
    }
  }

  dispose(): void {
    for (const tool of this.#tools.values()) tool.dispose();
    this.model.dispose();
    this.node.removeFromParent();
  }

  /** Show the tools that the cell gives to the arms, and hide those of the catalogue where it gives others. */
  #dress(): void {
    const { tools = {} } = this.#item;
    const given = this.#cell.tools?.filter(({ name }) => Object.values(tools).includes(name));
    const wanted = JSON.stringify([tools, given]);
    if (wanted === this.#dressed) return;
    this.#dressed = wanted;
    for (const tool of this.#tools.values()) tool.dispose();
    this.#tools.clear();
    for (const arm of this.info.arms) {
      const chosen = tools[arm.name];
      const own = arm.tool === null ? undefined : this.model.link(arm.tool.tcp)?.parent;
      const tool = this.#cell.tools?.find((one) => one.name === chosen);
      const keeps = chosen === undefined || (tool?.catalogue ?? "") !== "";
      if (arm.tool !== null && own != null) showTool(this.model, arm, keeps);
      if (tool !== undefined && !keeps) this.#hang(arm, tool);
    }
  }

  #hang(arm: ArmInfo, tool: CellTool): void {
    const flange = this.model.link(linkOf(arm, arm.flange));
    if (flange === undefined) return;
    const view = new CellToolView(tool, this.parts);
    flange.add(view.node);
    this.#tools.set(arm.name, view);
  }
}

/** Which bodies could not be loaded. */
function missing(files: readonly string[]): string {
  const names = files.map((file) => file.replace(/\.glb$/, ""));
  const some = names.slice(0, 3).join(", ");
  return t("robot.bodiesFailed", {
    names: names.length > 3 ? t("robot.missing", { names: some, count: names.length - 3 }) : some,
  });
}

/** What a frame of an arm is called in the URDF. */
export function linkOf(arm: ArmInfo, frame: string): string {
  return [...arm.frames, ...arm.bases].find(({ name }) => name === frame)?.link ?? frame;
}

/** Show or hide the bodies of the tool that the catalogue gives to an arm. */
function showTool(model: RobotModel, arm: ArmInfo, visible: boolean): void {
  const flange = model.link(linkOf(arm, arm.flange));
  for (const child of flange?.children ?? []) {
    if (child.type === "URDFJoint") child.visible = visible;
  }
}
