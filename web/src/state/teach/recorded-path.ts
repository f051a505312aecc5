/** RecordedPath: where a tool was led, thinned to what a program needs. Metres, world. */

import type { Pose } from "../../wire/generated";

export interface RecordedPose {
  readonly pose: Pose;
  readonly q: readonly number[];
}

/** So far the straight line between two kept points may be from what was led. */
export const TOLERANCE_M = 0.0005;
/** So far, radians, may its rotation; a turn in place is kept by it. */
export const TOLERANCE_RAD = 0.02;

export class RecordedPath {
  readonly #poses: RecordedPose[] = [];

  /** The next one, a frame later; what has not moved is left out. */
  add(next: RecordedPose): void {
    const last = this.#poses.at(-1);
    if (last === undefined || apart(last.pose, next.pose) > 0 || angleBetween(last.pose, next.pose) > 1e-6)
      this.#poses.push(next);
  }

  get length(): number {
    return this.#poses.length;
  }

  /** As few as keep within the tolerances, the first and the last among them (Ramer, Douglas and Peucker). */
  thinned(): readonly RecordedPose[] {
    const all = this.#poses;
    const kept = new Set([0, all.length - 1]);
    const waiting: [number, number][] = [[0, all.length - 1]];
    for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
      const [from, to] = span;
      const [a, b] = [all[from], all[to]];
      if (a === undefined || b === undefined) continue;
      let worst = 1;
      let at = -1;
      for (let i = from + 1; i < to; i++) {
        const pose = all[i]?.pose;
        if (pose === undefined) continue;
        const off = error(pose, a.pose, b.pose);
        if (off > worst) [worst, at] = [off, i];
      }
      if (at < 0) continue;
      kept.add(at);
      waiting.push([from, at], [at, to]);
    }
    return all.filter((_, i) => kept.has(i));
  }
}

/** How far a pose is off the straight way between two others, in tolerances. */
function error(pose: Pose, a: Pose, b: Pose): number {
  const way = b.xyz.map((value, i) => value - (a.xyz[i] ?? 0));
  const length = Math.hypot(...way);
  const along = pose.xyz.reduce((sum, value, i) => sum + (value - (a.xyz[i] ?? 0)) * (way[i] ?? 0), 0);
  const whole = angleBetween(a, b);
  // Where the tool only turns, the share of the way is that of the turn.
  const share = length > TOLERANCE_M ? along / length ** 2 : whole > 0 ? angleBetween(a, pose) / whole : 0;
  const s = Math.min(1, Math.max(0, share));
  const off = Math.hypot(...pose.xyz.map((value, i) => value - (a.xyz[i] ?? 0) - s * (way[i] ?? 0)));
  const turned = Math.max(
    Math.abs(angleBetween(a, pose) - s * whole),
    Math.abs(angleBetween(pose, b) - (1 - s) * whole),
  );
  return Math.max(off / TOLERANCE_M, turned / TOLERANCE_RAD);
}

function apart(a: Pose, b: Pose): number {
  return Math.hypot(...a.xyz.map((value, i) => value - (b.xyz[i] ?? 0)));
}

function angleBetween(a: Pose, b: Pose): number {
  const dot = Math.abs(a.wxyz.reduce((sum, value, i) => sum + value * (b.wxyz[i] ?? 0), 0));
  return 2 * Math.acos(Math.min(1, dot));
}
