/** PathRecorder: points of the ghost's way, one by one or as a path, as steps of the open program. */

import { namesOf } from "../../../state/build/tree";
import { WORLD } from "../../../state/shared/cell-geometry";
import type { Project } from "../../../state/shared/project";
import { onChange, Store } from "../../../state/shared/store";
import { findStep } from "../../../state/program/steps";
import { freeName } from "../../../state/program/steps-new";
import { RecordedPath } from "../../../state/teach/recorded-path";
import type { Teaching } from "../../../state/teach/teacher";
import { t } from "../../../state/texts";
import type { CellPoint, Place, ProjectEdit } from "../../../wire/studio";
import { TeachDoing } from "../../../state/teach/taught-steps";

/** More than this is no path that anybody would edit. */
const MOST_POINTS = 500;

export class PathRecorder {
  /** How many places were recorded; null: nothing is. */
  readonly count = new Store<number | null>(null);
  readonly #doing: TeachDoing;
  #path: RecordedPath | null = null;
  #unheard: () => void = () => undefined;

  constructor(
    private readonly project: Project,
    private readonly teaching: Teaching,
  ) {
    this.#doing = new TeachDoing(project, teaching);
  }

  /** Store where the ghost is: a step of the open program where it fits, else a point. */
  async storePoint(): Promise<boolean> {
    return this.#doing.whyNoStep() === null ? this.#doing.addStep("line") : this.#doing.teach();
  }

  /** Record from now on; nothing changes where it does. */
  begin(): void {
    if (this.#path !== null) return;
    const why = this.#doing.whyNoStep();
    if (why !== null) {
      this.project.complain(why);
      return;
    }
    const path = new RecordedPath();
    this.#path = path;
    this.count.set(0);
    const add = (): void => {
      const pose = this.teaching.tcp.value;
      const control = this.teaching.taught.value?.control;
      if (pose === null || control === undefined) return;
      path.add({ pose, q: control.stance.value?.q ?? control.q.value });
      this.count.set(path.length);
    };
    add();
    this.#unheard = onChange(this.teaching.tcp, add);
  }

  /** Make steps of what was recorded: one edit, one undo. */
  async end(): Promise<boolean> {
    const path = this.#path;
    this.#unheard();
    this.#path = null;
    this.count.set(null);
    const { openProgram, openStep, programs, cell } = this.project;
    const program = programs.value[openProgram.value ?? ""];
    const taught = this.teaching.taught.value;
    if (path === null || program === undefined || taught === null) return false;
    const poses = path.thinned();
    if (poses.length > MOST_POINTS) {
      this.project.complain(t("pad.path.long", { count: poses.length, most: MOST_POINTS }));
      return false;
    }
    const names = [...namesOf(cell.value)];
    const arm = taught.info.arms.length > 1 ? { arm: taught.arm } : {};
    const group = freeName(t("pad.path.name"), names);
    const after = openStep.value === null ? null : findStep(program, openStep.value);
    const edits: ProjectEdit[] = poses.flatMap(({ pose, q }, i): ProjectEdit[] => {
      const name = freeName(`${group} ${i + 1}`, names);
      names.push(name);
      const item: CellPoint = { name, pose, frame: WORLD, robot: taught.robot, ...arm, q };
      const at: Place = after === null ? {} : { ...after[1], index: after[1].index + 1 + i };
      return [
        { edit: "cell", command: { do: "add", section: "points", item } },
        {
          edit: "program",
          program: program.name,
          command: { do: "insert", action: { do: "go to", to: name, how: "line" }, at },
        },
      ];
    });
    if (edits.length === 0) return false;
    const title = t("pad.did.path", { name: group, count: poses.length });
    return this.project.edit({ edit: "together", edits, title });
  }

  dispose(): void {
    this.#unheard();
    this.#path = null;
  }
}
