/** FaultMarks: where the open program fails: what meets what, outlined, with a line at the nearest points. */

import type { Object3D } from "three";
import { poseInWorld } from "../state/shared/cell-geometry";
import type { CheckState, Project } from "../state/shared/project";
import type { Vector } from "../state/shared/rotations";
import { onChange } from "../state/shared/store";
import type { Action, Finding, Program, StepReport } from "../wire/studio";
import { plain } from "./cell-ghost";
import type { CellObjects } from "./cell-objects";
import type { CellRobots } from "./cell-robots";
import { NearLine } from "./near-line";
import { Outline } from "./outline";
import type { Viewport } from "./viewport";

const RED = "#ff4d45";

export class FaultMarks {
  readonly #outline = new Outline(RED, 3);
  readonly #line = new NearLine(RED);
  readonly #leaving: (() => void)[];

  constructor(
    private readonly viewport: Viewport,
    private readonly project: Project,
    private readonly robots: CellRobots,
    private readonly objects: CellObjects,
    private readonly write: (metres: number) => string,
  ) {
    viewport.world.add(this.#line.node);
    const update = (): void => this.update();
    this.#leaving = [project.checks, project.openProgram, project.openStep, project.mode].map((store) =>
      onChange<unknown>(store, update),
    );
  }

  setPicture(width: number, height: number): void {
    this.#outline.setPicture(width, height);
  }

  /** Let go of bodies that may be rebuilt. */
  clear(): void {
    this.#outline.clear();
  }

  update(): void {
    this.#outline.clear();
    this.#line.hide();
    const { checks, mode, openProgram, openStep } = this.project;
    const failing =
      mode.value === "program" ? failingStep(checks.value[openProgram.value ?? ""], openStep.value) : null;
    if (failing !== null) this.#show(failing.step, failing.finding);
    this.viewport.invalidate();
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    this.#outline.dispose();
    this.#line.dispose();
  }

  #show(step: StepReport, { near }: Finding): void {
    if (near != null) {
      const text = `${step.number} · ${plain(near.a)} · ${plain(near.b)}  ${this.write(near.distance_m)}`;
      this.#line.draw(near.point_a, near.point_b, text);
      this.#outline.show(
        [near.a, near.b].flatMap((name) => this.#body(name)),
        "link",
      );
      return;
    }
    const at = placeOf(this.project, step);
    if (at !== null) this.#line.draw(at, at, `${step.number} ✕`);
  }

  #body(name: string): Object3D[] {
    const [robot = "", link = ""] = name.split("/");
    const node = link === "" ? this.objects.get(name) : this.robots.view(robot)?.model.link(link);
    return node === undefined ? [] : [node];
  }
}

/** The step that is open and fails, or else the first that fails. */
function failingStep(
  check: CheckState | undefined,
  open: string | null,
): { readonly step: StepReport; readonly finding: Finding } | null {
  const checked = check === undefined ? null : check.state === "checked" ? check.checked : check.before;
  const failing = checked?.report?.steps.filter(({ verdict }) => verdict === "fails") ?? [];
  const step = failing.find(({ id }) => id === open) ?? failing[0];
  const finding = step?.findings?.find(({ fails }) => fails);
  return step === undefined || finding === undefined ? null : { step, finding };
}

/** Where a step wants to go. */
function placeOf(project: Project, step: StepReport): Vector | null {
  const program: Program | undefined = project.programs.value[step.program];
  const action = findStep(program?.steps ?? [], step.id);
  if (action?.do !== "go to" || typeof action.to !== "string") return null;
  return poseInWorld(project.cell.value, action.to)?.xyz ?? null;
}

function findStep(steps: readonly Action[], id: string): Action | undefined {
  for (const step of steps) {
    if (step.id === id) return step;
    const inside = [
      ...("steps" in step ? (step.steps ?? []) : []),
      ...("otherwise" in step ? (step.otherwise ?? []) : []),
    ];
    const found = findStep(inside, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
