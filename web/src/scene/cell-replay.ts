/** CellReplay: the robots and parts as they are at the time that is shown, and the ways of their tools. */

import type { Project } from "../state/shared/project";
import { onChange } from "../state/shared/store";
import { between, sampleAt, type Timeline } from "../state/program/timeline";
import type { Simulated } from "../wire/studio";
import { CellCarried } from "./cell-carried";
import type { CellObjects } from "./cell-objects";
import type { CellRobots } from "./cell-robots";
import { CellSent } from "./cell-sent";
import { PathLine } from "./path-line";
import type { Viewport } from "./viewport";

export class CellReplay {
  readonly #paths = new Map<string, PathLine>();
  readonly #leaving: (() => void)[];
  readonly #sent: CellSent;
  readonly #carried: CellCarried;

  constructor(
    private readonly viewport: Viewport,
    private readonly project: Project,
    private readonly timeline: Timeline,
    private readonly robots: CellRobots,
    private readonly objects: CellObjects,
  ) {
    this.#sent = new CellSent(viewport, robots);
    this.#carried = new CellCarried(viewport, robots, objects);
    this.#leaving = [
      timeline.recording.subscribe((recording) => this.#drawPaths(recording)),
      timeline.time.subscribe(() => this.show()),
      project.mode.subscribe(() => {
        for (const path of this.#paths.values()) path.node.visible = this.#showsPaths;
        this.show();
      }),
      onChange(project.operation.joints, () => {
        if (project.mode.value === "operate") this.show();
      }),
      onChange(project.operation.parts, () => {
        if (project.mode.value === "operate") this.show();
      }),
    ];
  }

  /** Put robots and parts where they are now. */
  show(): void {
    const { project, timeline } = this;
    const recording = timeline.recording.value;
    for (const item of project.cell.value.objects ?? [])
      if (item.graspable === true) this.objects.place(item.name, null);
    this.robots.rest();
    if (project.mode.value === "program" && recording !== null) this.#replay(recording);
    this.#operate();
    this.viewport.invalidateBodies();
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    for (const path of this.#paths.values()) path.dispose();
    this.#sent.dispose();
  }

  get #showsPaths(): boolean {
    return this.project.mode.value !== "build";
  }

  /** While operating, robots are where their controllers say they are. */
  #operate(): void {
    const { mode, operation } = this.project;
    if (mode.value !== "operate") {
      this.#sent.show(null);
      return;
    }
    for (const [arm, { measured }] of Object.entries(operation.joints.value))
      this.robots.setJoints(arm, measured);
    for (const { name, openings } of operation.now.value.robots)
      for (const [arm, opening] of Object.entries(openings))
        this.robots.setOpening(`${name}/${arm}`, opening);
    this.#sent.show(operation.joints.value);
    this.#carried.show(operation.parts.value);
  }

  #replay(recording: Simulated): void {
    const [index, share] = sampleAt(recording.t, this.timeline.time.value);
    const near = share < 0.5 ? index : index + 1;
    for (const [arm, rows] of Object.entries(recording.q))
      this.robots.setJoints(arm, between(rows, index, share));
    for (const [arm, values] of Object.entries(recording.openings))
      this.robots.setOpening(arm, values[near] ?? values[index] ?? 0);
    for (const [name, rows] of Object.entries(recording.parts)) {
      const [x = 0, y = 0, z = 0, w = 1, i = 0, j = 0, k = 0] = rows[near] ?? rows[index] ?? [];
      this.objects.place(name, { xyz: [x, y, z], wxyz: [w, i, j, k] });
    }
  }

  #drawPaths(recording: Simulated | null): void {
    for (const path of this.#paths.values()) path.hide();
    for (const [arm, points] of Object.entries(recording?.tools ?? {})) {
      let path = this.#paths.get(arm);
      if (path === undefined) {
        path = new PathLine();
        this.#paths.set(arm, path);
        this.viewport.world.add(path.node);
      }
      path.draw(points, recording?.speeds[arm] ?? []);
      path.node.visible = this.#showsPaths;
    }
    this.show();
  }
}
