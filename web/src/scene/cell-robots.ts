/** CellRobots: all robots of a cell. Each is loaded once and then follows the document. */

import { Box3, Object3D, Vector3 } from "three";
import { IDENTITY } from "../state/shared/cell-geometry";
import { problemOf } from "../state/shared/sentences";
import { t } from "../state/texts";
import type { RobotInfo } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { CellRobotView } from "./cell-robot";
import type { CellToolParts } from "./cell-tool";
import { toThree } from "./up";

/** Room that a robot takes, about, as long as its bodies are not there: to each side and up, metres. */
const ABOUT_M = { beside: 0.4, above: 0.9 } as const;

interface Held {
  readonly model: string;
  readonly loading: AbortController;
  view: CellRobotView | null;
}

export class CellRobots {
  readonly node = new Object3D();
  readonly #held = new Map<string, Held>();
  readonly #box = new Box3();
  readonly #foot = new Vector3();
  #cell: Cell = { name: "" };

  constructor(
    private readonly fetchRobot: (name: string) => Promise<RobotInfo>,
    private readonly parts: CellToolParts,
  ) {}

  update(cell: Cell): void {
    this.#cell = cell;
    const wanted = new Map((cell.robots ?? []).map((item) => [item.name, item]));
    for (const [name, held] of this.#held) {
      if (wanted.get(name)?.model !== held.model) this.#drop(name, held);
    }
    for (const [name, item] of wanted) {
      const held = this.#held.get(name);
      if (held === undefined) void this.#load(name, item.model);
      else held.view?.update(item, cell);
    }
  }

  /** A robot of the catalogue is another now: fetch it again, wherever it stands. */
  renew(model: string): void {
    for (const [name, held] of this.#held) if (held.model === model) this.#drop(name, held);
    this.update(this.#cell);
    this.parts.changed();
  }

  get(name: string): Object3D | undefined {
    return this.#held.get(name)?.view?.node;
  }

  view(name: string): CellRobotView | null {
    return this.#held.get(name)?.view ?? null;
  }

  /** The robot that a mesh belongs to. */
  nameOf(object: Object3D): string | undefined {
    for (let node: Object3D | null = object; node !== null; node = node.parent) {
      const name: unknown = node.userData["robot"];
      if (typeof name === "string") return name;
    }
    return undefined;
  }

  /** Joints of an arm, named robot/arm. */
  setJoints(key: string, q: readonly number[]): void {
    const [robot = "", arm = ""] = key.split("/");
    this.view(robot)?.setJoints(arm, q);
  }

  setOpening(key: string, opening: number): void {
    const [robot = "", arm = ""] = key.split("/");
    this.view(robot)?.setOpening(arm, opening);
  }

  /** Let `box` take in all robots; one whose bodies are still on their way counts as the room it is likely to take. */
  measure(box: Box3): void {
    for (const own of this.boxes()) box.union(own);
  }

  /** The room of each robot, in three's axes. The box is the same for all: take what is needed of it at once. */
  *boxes(): Generator<Box3> {
    for (const { name, pose } of this.#cell.robots ?? []) {
      const view = this.view(name);
      if (view?.complete === true) {
        yield view.model.measure(this.#box);
        continue;
      }
      const { x, y, z } = toThree(this.#foot.set(...(pose ?? IDENTITY).xyz));
      this.#box.min.set(x - ABOUT_M.beside, y, z - ABOUT_M.beside);
      this.#box.max.set(x + ABOUT_M.beside, y + ABOUT_M.above, z + ABOUT_M.beside);
      yield this.#box;
    }
  }

  /** True where every robot is there with all its bodies. */
  get complete(): boolean {
    return (this.#cell.robots ?? []).every(({ name }) => this.view(name)?.complete === true);
  }

  /** Put every robot where the document says it starts. */
  rest(): void {
    for (const { view } of this.#held.values()) view?.rest();
  }

  dispose(): void {
    for (const [name, held] of this.#held) this.#drop(name, held);
    this.node.removeFromParent();
  }

  async #load(name: string, model: string): Promise<void> {
    const held: Held = { model, loading: new AbortController(), view: null };
    this.#held.set(name, held);
    try {
      const info = await this.fetchRobot(model);
      const item = this.#cell.robots?.find((one) => one.name === name);
      if (item === undefined || held.loading.signal.aborted) return;
      const view = await CellRobotView.load(item, this.#cell, info, held.loading.signal, this.parts);
      if (this.#held.get(name) !== held) {
        view.dispose();
        return;
      }
      held.view = view;
      const now = this.#cell.robots?.find((one) => one.name === name);
      if (now !== undefined) view.update(now, this.#cell);
      view.rest();
      this.node.add(view.node);
      this.parts.changed();
    } catch (error) {
      if (held.loading.signal.aborted) return;
      this.parts.complain(problemOf(error, t("view.robotFailed", { name })));
    }
  }

  #drop(name: string, held: Held): void {
    held.loading.abort();
    held.view?.dispose();
    this.#held.delete(name);
  }
}
