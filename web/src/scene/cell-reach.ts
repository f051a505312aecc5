/** CellReach: how far the arm that is taught can reach, on demand. */

import { Object3D } from "three";
import { linkOf } from "./cell-robot";
import type { CellRobots } from "./cell-robots";
import { ReachOverlay } from "./reach-overlay";
import type { Viewport } from "./viewport";
import { problemOf } from "../state/shared/sentences";
import { onChange, type Store } from "../state/shared/store";
import type { Teaching } from "../state/teach/teacher";
import { t } from "../state/texts";
import type { Reach } from "../wire/generated";
import { fetchReach } from "../wire/rest";

export interface CellReachParts {
  readonly viewport: Viewport;
  readonly robots: CellRobots;
  readonly teaching: Teaching;
  readonly wanted: Store<boolean>;
  readonly complain: (message: string) => void;
}

export class CellReach {
  #overlay: ReachOverlay | null = null;
  /** Where the arm's base is; not in the robot itself, of which the ghost is a copy. */
  readonly #base = new Object3D();
  #loading = new AbortController();
  readonly #known = new Map<string, Reach>();
  readonly #leaving: (() => void)[];

  constructor(private readonly parts: CellReachParts) {
    const { teaching, viewport, wanted } = parts;
    this.#base.matrixAutoUpdate = false;
    viewport.world.add(this.#base);
    this.#leaving = [onChange(teaching.taught, () => this.update()), onChange(wanted, () => this.update())];
  }

  /** Redraw it: another arm, other bodies, or no longer wanted. */
  update(): void {
    const { robots, teaching, viewport, wanted } = this.parts;
    this.#loading.abort();
    this.#overlay?.dispose();
    this.#overlay = null;
    viewport.invalidate();
    const taught = teaching.taught.value;
    if (!wanted.value || !teaching.showing || taught === null) return;
    const { info } = taught.control;
    const key = `${taught.info.name}/${taught.arm}`;
    const reach = this.#known.get(key);
    if (reach === undefined) {
      void this.#load(key, taught.info.name, taught.arm);
      return;
    }
    const base = robots.view(taught.robot)?.model.link(linkOf(info, info.base));
    if (base === undefined) return;
    this.#overlay = new ReachOverlay(reach);
    base.updateWorldMatrix(true, false);
    this.#base.matrix.copy(viewport.world.matrixWorld).invert().multiply(base.matrixWorld);
    this.#base.add(this.#overlay.node);
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    this.#loading.abort();
    this.#overlay?.dispose();
  }

  /** The first time that it is worked out takes some seconds. */
  async #load(key: string, model: string, arm: string): Promise<void> {
    const { signal } = (this.#loading = new AbortController());
    try {
      const reach = await fetchReach(model, arm, signal);
      if (signal.aborted) return;
      this.#known.set(key, reach);
      this.update();
    } catch (error) {
      if (signal.aborted) return;
      this.parts.wanted.set(false);
      this.parts.complain(problemOf(error, t("robot.reachFailed")));
    }
  }
}
