/** StepEditor: what is selected in the open program, and every edit of its steps as one ask to the server. */

import type { Action, Program, ProgramCommand, ProjectEdit } from "../../wire/studio";
import type { Project } from "../shared/project";
import {
  type ActionKind,
  bare,
  findStep,
  idOf,
  idsIn,
  isOn,
  movesTo,
  outermost,
  rowsOf,
  type Spot,
  spotBeside,
  stepsAt,
  walkSteps,
} from "./steps";
import { type SharedField, withField } from "./steps-several";
import { stepWords } from "./step-text";
import { draftStep, programName, type Lacking } from "./steps-new";
import { withoutPlace, wordsOf } from "../shared/said";
import { onChange, Store } from "../shared/store";
import { t } from "../texts";

/** What was copied last; also for another program. */
const clipboard = new Store<readonly Action[]>([]);

export class StepEditor {
  /** Ids of the selected steps of the open program. */
  readonly selected = new Store<readonly string[]>([]);
  readonly folded = new Store<ReadonlySet<string>>(new Set());
  readonly copied = clipboard;
  #anchor: string | null = null;
  readonly #leaving: readonly (() => void)[];

  constructor(readonly project: Project) {
    this.#leaving = [
      onChange(project.openProgram, () => this.select(null)),
      project.openStep.subscribe((id) => {
        if (id !== null && !this.selected.value.includes(id)) this.select(id);
      }),
      onChange(project.programs, () => this.#forgetGone()),
    ];
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
  }

  get program(): Program | null {
    const open = this.project.openProgram.value;
    return open === null ? null : (this.project.programs.value[open] ?? null);
  }

  select(id: string | null): void {
    this.#anchor = id;
    this.selected.set(id === null ? [] : [id]);
    this.project.openStep.set(id);
  }

  /** Add a step to the selection, or take it out. */
  toggle(id: string): void {
    const now = this.selected.value;
    this.selected.set(now.includes(id) ? now.filter((one) => one !== id) : [...now, id]);
    this.#anchor = id;
    this.project.openStep.set(this.selected.value.at(-1) ?? null);
  }

  /** Select everything from the step that was chosen first to this one. */
  extend(id: string): void {
    const { program } = this;
    if (program === null || this.#anchor === null) return this.select(id);
    const order = rowsOf(program, this.folded.value).flatMap((row) => (row.kind === "step" ? [row.id] : []));
    const [a, b] = [order.indexOf(this.#anchor), order.indexOf(id)].sort((x, y) => x - y);
    this.selected.set(order.slice(a, (b ?? 0) + 1));
    this.project.openStep.set(id);
  }

  selectAll(): void {
    const ids = (this.program?.steps ?? []).map(idOf);
    this.selected.set(ids);
    this.#anchor = ids[0] ?? null;
  }

  toggleFold(id: string): void {
    const next = new Set(this.folded.value);
    if (!next.delete(id)) next.add(id);
    this.folded.set(next);
  }

  /** Open everything around a step, so that it can be seen. */
  reveal(id: string): void {
    const { program } = this;
    if (program === null) return;
    const next = new Set(this.folded.value);
    let found = findStep(program, id);
    while (found !== null && found[1].parent !== "") {
      next.delete(found[1].parent);
      found = findStep(program, found[1].parent);
    }
    if (next.size !== this.folded.value.size) this.folded.set(next);
  }

  /** Where a new step goes: after the selected ones, or at the end. */
  spotAfter(): Spot {
    const { program } = this;
    const last = program === null ? undefined : outermost(program, this.selected.value).at(-1);
    const found = program === null || last === undefined ? null : findStep(program, last);
    if (found !== null) return { ...found[1], index: found[1].index + 1 };
    return { parent: "", slot: "steps", index: program?.steps?.length ?? 0 };
  }

  /** Why there can be no new step of a kind at a place; null: there can. */
  lacks(kind: ActionKind, at: Spot = this.spotAfter()): Lacking | null {
    const draft = this.#draft(kind, at);
    return draft !== null && "lacks" in draft ? draft.lacks : null;
  }

  async insert(
    kind: ActionKind,
    at: Spot = this.spotAfter(),
    /** Of a step of the tool; without one it is the opposite of the one before. */
    state?: "open" | "close",
  ): Promise<boolean> {
    const draft = this.#draft(kind, at);
    if (draft === null) return false;
    if ("lacks" in draft) {
      this.project.complain(t(`program.lacks.${draft.lacks}`));
      return false;
    }
    const { action } = draft;
    return this.insertActions(
      [action.do === "tool" && state !== undefined ? { ...action, state } : action],
      at,
    );
  }

  /** Put steps in; they are selected afterwards. */
  async insertActions(actions: readonly Action[], at: Spot, title = ""): Promise<boolean> {
    const commands = actions.map((action, i): ProgramCommand => ({
      do: "insert",
      action,
      at: { ...at, index: at.index + i },
    }));
    return this.#makeNew(commands, at.parent, title);
  }

  /** Put in a move to each of some points; they go as fast as the move before them. */
  async goToPoints(points: readonly string[], at: Spot = this.spotAfter()): Promise<boolean> {
    const draft = this.#draft("go to", at);
    if (draft === null || points.length === 0) return false;
    const like = "action" in draft && draft.action.do === "go to" ? draft.action : null;
    const speed = like?.speed === undefined ? {} : { speed: like.speed };
    return this.insertActions(
      points.map((to): Action => ({ do: "go to", to, ...speed })),
      at,
      t("program.did.moveTo", { count: points.length }),
    );
  }

  async remove(ids: readonly string[] = this.selected.value): Promise<boolean> {
    const { program } = this;
    if (program === null) return false;
    const going = outermost(program, ids);
    const next = this.#neighbour(program, going);
    const done = await this.#run(
      going.map((id) => ({ do: "remove", id })),
      t("program.did.remove", { count: going.length }),
    );
    if (done) this.select(next);
    return done;
  }

  async duplicate(ids: readonly string[] = this.selected.value): Promise<boolean> {
    const { program } = this;
    if (program === null) return false;
    const found = outermost(program, ids).map((id) => findStep(program, id));
    const last = found.at(-1) ?? null;
    if (last === null) return false;
    const copies = found.flatMap((one) => (one === null ? [] : [bare(one[0])]));
    const at = { ...last[1], index: last[1].index + 1 };
    return this.insertActions(copies, at, t("program.did.duplicate", { count: copies.length }));
  }

  async enable(enabled: boolean, ids: readonly string[] = this.selected.value): Promise<boolean> {
    const { program } = this;
    if (program === null) return false;
    const commands = outermost(program, ids).map((id): ProgramCommand => ({ do: "enable", id, enabled }));
    return this.#run(
      commands,
      t(enabled ? "program.did.enable" : "program.did.disable", { count: commands.length }),
    );
  }

  /** Switch the selected steps off, or on where all of them are off. */
  async toggleEnabled(ids: readonly string[] = this.selected.value): Promise<boolean> {
    const { program } = this;
    if (program === null) return false;
    const anyOn = ids.some((id) => {
      const found = findStep(program, id);
      return found !== null && isOn(found[0]);
    });
    return this.enable(!anyOn, ids);
  }

  async move(ids: readonly string[], to: Spot): Promise<boolean> {
    const { program } = this;
    if (program === null) return false;
    const commands = movesTo(program, ids, to).map((one): ProgramCommand => ({ do: "move", ...one }));
    return this.#run(commands, t("program.did.move", { count: commands.length }));
  }

  async moveBy(way: -1 | 1, ids: readonly string[] = this.selected.value): Promise<boolean> {
    const { program } = this;
    const to = program === null ? null : spotBeside(program, ids, way, this.folded.value);
    return to === null ? false : this.move(ids, to);
  }

  /** Put the selected steps into their own group. */
  async group(ids: readonly string[] = this.selected.value): Promise<boolean> {
    const { program } = this;
    if (program === null) return false;
    const inside = outermost(program, ids).flatMap((id) => findStep(program, id)?.[0] ?? []);
    const first = findStep(program, idOf(inside[0] ?? ({ id: "" } as Action)));
    if (first === null) return false;
    const action: Action = { do: "group", title: t("program.newGroup"), steps: inside };
    const remove = inside.map((one): ProgramCommand => ({ do: "remove", id: idOf(one) }));
    // What stood before the first one stays before the group, whatever else is taken out.
    return this.#makeNew(
      [...remove, { do: "insert", action, at: first[1] }],
      first[1].parent,
      t("program.did.group", { count: inside.length }),
    );
  }

  /** Take a group, repetition or condition away and leave what is inside it. */
  async ungroup(id: string): Promise<boolean> {
    const { program } = this;
    const found = program === null ? null : findStep(program, id);
    if (program === null || found === null) return false;
    const inner = [
      ...stepsAt(program, id, "steps"),
      ...(found[0].do === "if" ? stepsAt(program, id, "otherwise") : []),
    ];
    const { parent, slot, index } = found[1];
    const commands: ProgramCommand[] = [
      ...inner.map((one, i): ProgramCommand => ({
        do: "move",
        id: idOf(one),
        to: { parent, slot, index: index + i },
      })),
      { do: "remove", id },
    ];
    return this.#run(commands, t("program.did.ungroup"));
  }

  /** Put the plain steps of a pick or place in its place, in a group. */
  async expand(id: string, plain: readonly Action[]): Promise<boolean> {
    const { program } = this;
    const found = program === null ? null : findStep(program, id);
    if (found === null || plain.length === 0) return false;
    const title = stepWords(found[0]).replaceAll("**", "");
    const action: Action = { do: "group", title, steps: plain.map(bare) };
    return this.#run([{ do: "replace", id, action }], t("program.did.expand"));
  }

  copy(ids: readonly string[] = this.selected.value): boolean {
    const { program } = this;
    if (program === null) return false;
    const found = outermost(program, ids).flatMap((id) => findStep(program, id)?.[0] ?? []);
    if (found.length > 0) clipboard.set(found.map(bare));
    return found.length > 0;
  }

  async cut(): Promise<boolean> {
    return this.copy() && this.remove();
  }

  async paste(at: Spot = this.spotAfter()): Promise<boolean> {
    const actions = clipboard.value;
    if (actions.length === 0) return false;
    return this.insertActions(actions, at, t("program.did.paste", { count: actions.length }));
  }

  /** Give a field another value; the answer is why not, or null. */
  async setField(id: string, field: string, value: unknown): Promise<string | null> {
    const { program } = this;
    if (program === null) return null;
    return this.attempt({
      edit: "program",
      program: program.name,
      command: { do: "edit", id, field, value },
    });
  }

  /** Give a field of several steps the same value, those that have it; the answer is why not, or null. */
  async setFields(ids: readonly string[], field: SharedField, value: unknown): Promise<string | null> {
    const { program } = this;
    if (program === null) return null;
    const commands = withField(program, ids, field).map((action): ProgramCommand => ({
      do: "edit",
      id: idOf(action),
      field,
      value,
    }));
    const [only] = commands;
    if (only === undefined) return null;
    const title = t("program.did.set", { count: commands.length });
    const command: ProgramCommand = commands.length === 1 ? only : { do: "batch", commands, title };
    return this.attempt({ edit: "program", program: program.name, command });
  }

  /** Put another action in a step's place; the answer is why not, or null. */
  async replace(id: string, action: Action): Promise<string | null> {
    const { program } = this;
    if (program === null) return null;
    return this.attempt({ edit: "program", program: program.name, command: { do: "replace", id, action } });
  }

  /** Make an edit whose refusal is shown where it was made; the answer is why not, or null. */
  async attempt(edit: ProjectEdit): Promise<string | null> {
    const why = await this.project.attempt(edit);
    return why === null ? null : wordsOf(withoutPlace(why));
  }

  /** A new program, which is open then. */
  async addProgram(title: string, from: Pick<Program, "robot"> & Partial<Program>): Promise<boolean> {
    const name = programName(title, Object.keys(this.project.programs.value));
    const done = await this.project.edit({ edit: "add program", program: { ...from, name, title } });
    if (done) this.project.openProgram.set(name);
    return done;
  }

  #draft(kind: ActionKind, at: Spot) {
    const { program, project } = this;
    if (program === null) return null;
    return draftStep(
      kind,
      {
        cell: project.cell.value,
        program,
        programs: project.programs.value,
        selection: project.selection.value,
        q: this.jointsNow(program),
        words: { group: t("program.newGroup"), comment: t("program.newComment") },
      },
      at,
    );
  }

  /** Joints of the program's arm: at the time that is shown, or else at the start of a check. */
  jointsNow(program: Program): readonly number[] {
    const { recording, time, cell, checks } = this.project;
    const key = (names: readonly string[]): string | undefined =>
      names.find((name) => name === `${program.robot}/${program.arm ?? ""}`) ??
      names.find((name) => name.startsWith(`${program.robot}/`));
    const shown = recording.value;
    if (shown !== null) {
      const arm = key(Object.keys(shown.q));
      const at = shown.t.findLastIndex((one) => one <= time.value);
      const q = arm === undefined ? undefined : shown.q[arm]?.[Math.max(0, at)];
      if (q !== undefined) return q;
    }
    const check = checks.value[program.name];
    const start = check?.state === "checked" ? check.checked.report?.start.q : check?.before?.report?.start.q;
    const arm = key(Object.keys(start ?? {}));
    if (start !== undefined && arm !== undefined && start[arm] !== undefined) return start[arm];
    const joints = (cell.value.robots ?? []).find(({ name }) => name === program.robot)?.joints ?? {};
    return joints[program.arm ?? ""] ?? Object.values(joints)[0] ?? [];
  }

  /** Run commands that make steps, and select those that are new. */
  async #makeNew(commands: readonly ProgramCommand[], parent: string, title: string): Promise<boolean> {
    const before = new Set(this.#ids());
    const done = await this.#run(commands, title);
    if (!done) return false;
    if (parent !== "" && this.folded.value.has(parent)) this.toggleFold(parent);
    const { program } = this;
    const made = this.#ids().filter((id) => !before.has(id));
    const outer = program === null ? [] : outermost(program, made);
    this.#anchor = outer[0] ?? null;
    this.selected.set(outer);
    this.project.openStep.set(outer.at(-1) ?? null);
    return true;
  }

  #ids(): readonly string[] {
    return [...walkSteps(this.program?.steps ?? [])].map(([action]) => idOf(action));
  }

  async #run(commands: readonly ProgramCommand[], title: string): Promise<boolean> {
    const { program } = this;
    if (program === null || commands.length === 0) return false;
    const [only] = commands;
    const command: ProgramCommand =
      commands.length === 1 && only !== undefined ? only : { do: "batch", commands, title };
    return this.project.edit({ edit: "program", program: program.name, command });
  }

  /** The step that is selected after others are gone: the next one that stays, or the one before. */
  #neighbour(program: Program, going: readonly string[]): string | null {
    const gone = new Set(going.flatMap((id) => idsIn(findStep(program, id)?.[0] ?? ({ id } as Action))));
    const ids = [...walkSteps(program.steps ?? [])].map(([action]) => idOf(action));
    const at = ids.findIndex((id) => gone.has(id));
    return ids.slice(at).find((id) => !gone.has(id)) ?? ids.slice(0, at).at(-1) ?? null;
  }

  #forgetGone(): void {
    const there = new Set(this.#ids());
    const kept = this.selected.value.filter((id) => there.has(id));
    if (kept.length !== this.selected.value.length) this.selected.set(kept);
    const open = this.project.openStep.value;
    if (open !== null && !there.has(open)) this.project.openStep.set(kept.at(-1) ?? null);
  }
}
