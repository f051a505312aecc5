/** Clock: a board that stays where it was put in the cell: date and time in the person's language, and the time in use. */

import type { Object3D } from "three";
import { getLanguage, t } from "../state/texts";
import { Panel } from "./panel";
import { text } from "./panel-content";

const WIDTH_PX = 460;
const AGAIN_MS = 1000;

/** Seconds as hours, minutes and seconds; more than a day is more than 24 hours. */
export function inUse(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((one) => String(one).padStart(2, "0")).join(":");
}

export class Clock {
  readonly panel = new Panel("clock", WIDTH_PX);
  #drawnMs = -Infinity;

  /** It hangs below `world`. `sinceMs`: when the page was opened, on the clock of `update`. */
  constructor(
    world: Object3D,
    private readonly sinceMs: number,
  ) {
    world.add(this.panel.mesh);
  }

  /** Put it where `mesh` is, which hangs elsewhere; it is as large as it looks there. */
  placeAt(mesh: Object3D): void {
    mesh.updateWorldMatrix(true, false);
    this.panel.mesh.parent?.updateWorldMatrix(true, false);
    mesh.getWorldPosition(this.panel.mesh.position);
    mesh.getWorldQuaternion(this.panel.mesh.quaternion);
    this.#drawnMs = -Infinity;
    this.panel.show(true);
  }

  update(nowMs: number): void {
    if (!this.panel.shown || nowMs - this.#drawnMs < AGAIN_MS) return;
    this.#drawnMs = nowMs;
    const now = new Date();
    const language = getLanguage();
    this.panel.setRows([
      text(now.toLocaleDateString(language, { dateStyle: "full" })),
      text(now.toLocaleTimeString(language)),
      text(t("headset.clock.inUse", { time: inUse((nowMs - this.sinceMs) / 1000) }), "calm"),
    ]);
  }

  dispose(): void {
    this.panel.dispose();
  }
}
