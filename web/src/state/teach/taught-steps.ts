/** TaughtSteps: what Teach does to the project: points, and steps that go to them. */

import { namesOf } from "../build/tree";
import { WORLD } from "../shared/cell-geometry";
import type { Project } from "../shared/project";
import { findStep, stepIds } from "../program/steps";
import { freeName } from "../program/steps-new";
import type { Teaching } from "./teacher";
import { t } from "../texts";
import type { CellPoint, Place } from "../../wire/studio";

/** As steps have them; what is not given is as usual. */
export interface Motion {
  readonly speed?: string;
  readonly zone?: string;
}

export class TeachDoing {
  /** The frame that new points are given in. */
  frame = WORLD;

  constructor(
    private readonly project: Project,
    private readonly teaching: Teaching,
  ) {}

  /** A name for the next point: after the one that is selected, so that pick is followed by pick 2. */
  freeName(): string {
    const { cell } = this.project;
    return freeName(t("build.name.point"), namesOf(cell.value));
  }

  /** Make a point where the ghost's tool is, and select it. */
  async teach(name = ""): Promise<boolean> {
    const item = await this.#point(name);
    if (item === null) return false;
    const done = await this.project.edit({
      edit: "cell",
      command: { do: "add", section: "points", item },
    });
    if (done) this.project.selection.set([item.name]);
    return done;
  }

  /** The point that is selected; null: none, or several things. */
  get chosen(): string | null {
    const [only, ...more] = this.project.selection.value;
    const isPoint = this.project.cell.value.points?.some(({ name }) => name === only);
    return only !== undefined && more.length === 0 && isPoint === true ? only : null;
  }

  /** Why no point can be taught where the numbers say; null: one can. */
  whyNoPoint(tcp = this.teaching.tcp.value, elsewhere = this.teaching.cannotBeThere): string | null {
    if (tcp === null) return t("teach.notYet");
    return elsewhere ? t("teach.point.unreached") : null;
  }

  async touchUp(): Promise<boolean> {
    const { chosen } = this;
    if (chosen === null || this.#refuses()) return false;
    const done = await this.teaching.touchUp(chosen);
    if (!done) this.#refuses();
    return done;
  }

  /** Why no step can be added; null: one can. */
  whyNoStep(
    program = this.project.programs.value[this.project.openProgram.value ?? ""],
    taught = this.teaching.taught.value,
  ): string | null {
    if (program === undefined) return t("teach.step.noProgram");
    if (taught !== null && program.robot !== taught.robot)
      return t("teach.step.otherRobot", { program: program.title ?? program.name, robot: program.robot });
    return null;
  }

  /** Teach a point and go there in the open program: one edit, one undo. The check follows by itself. */
  async addStep(how: "joint" | "line", motion: Motion = {}): Promise<boolean> {
    const { openProgram, openStep, programs, selection } = this.project;
    const name = openProgram.value;
    const program = programs.value[name ?? ""];
    const why = this.whyNoStep() ?? this.whyNoPoint();
    if (name === null || program === undefined || why !== null) {
      this.project.complain(why);
      return false;
    }
    const item = await this.#point("");
    if (item === null) return false;
    const after = openStep.value === null ? null : findStep(program, openStep.value);
    const at: Place = after === null ? {} : { ...after[1], index: after[1].index + 1 };
    const ids = new Set(stepIds(program));
    const done = await this.project.edit({
      edit: "together",
      edits: [
        { edit: "cell", command: { do: "add", section: "points", item } },
        {
          edit: "program",
          program: name,
          command: { do: "insert", action: { do: "go to", to: item.name, how, ...motion }, at },
        },
      ],
      title: t("teach.did.addStep", { name: item.name }),
    });
    if (!done) return false;
    selection.set([item.name]);
    const made = stepIds(programs.value[name]).find((id) => !ids.has(id));
    if (made !== undefined) openStep.set(made);
    return true;
  }

  /** Say why no point can be taught, if none can. */
  #refuses(): boolean {
    const why = this.whyNoPoint();
    if (why !== null) this.project.complain(why);
    return why !== null;
  }

  async #point(name: string): Promise<CellPoint | null> {
    if (this.#refuses()) return null;
    const frames = this.project.cell.value.frames ?? [];
    const frame = this.frame === WORLD || frames.some((one) => one.name === this.frame) ? this.frame : WORLD;
    const item = await this.teaching.asPoint(name.trim() === "" ? this.freeName() : name.trim(), frame);
    if (item === null) this.project.complain(this.whyNoPoint() ?? t("teach.notYet"));
    return item;
  }
}
