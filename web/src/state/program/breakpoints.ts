/** Breakpoints: steps before which runs of this person pause. Kept in the browser, by project; no part of the program. */

import { type Memory, remembered } from "../shared/preferences";
import type { Project } from "../shared/project";
import { onChange, type Store } from "../shared/store";
import { isUnderWay } from "../operate/operator";
import { stepIds } from "./steps";

/** Ids of steps, by program. */
export type BreakpointsBy = Readonly<Record<string, readonly string[]>>;

/** Of a program and a step, as the server has it. */
export type Breakpoint = readonly [program: string, step: string];

export class Breakpoints {
  readonly all: Store<BreakpointsBy>;
  /** The run has not been told yet: it was not moving. */
  #untold = false;
  readonly #leaving: readonly (() => void)[];

  constructor(
    private readonly project: Project,
    memory: Memory,
  ) {
    this.all = remembered<BreakpointsBy>(memory, `breakpoints.${project.id}`, {}, isBreakpoints);
    const { operation } = project;
    const write = (): void => operation.breakpoints.set(this.#list());
    write();
    this.#leaving = [
      onChange(project.programs, write),
      onChange(this.all, () => {
        write();
        this.#untold = isUnderWay(operation.run);
        this.#tell();
      }),
      onChange(operation.now, () => this.#tell()),
    ];
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
  }

  of(program: string): readonly string[] {
    return this.all.value[program] ?? [];
  }

  /** Set breakpoints at steps, or take them away where all of them have one. */
  toggle(program: string, ids: readonly string[]): void {
    const now = this.of(program);
    const gone = ids.every((id) => now.includes(id));
    this.#set(program, gone ? now.filter((id) => !ids.includes(id)) : [...new Set([...now, ...ids])]);
  }

  clear(program: string): void {
    this.#set(program, []);
  }

  #set(program: string, ids: readonly string[]): void {
    const rest = Object.entries(this.all.value).filter(([name]) => name !== program);
    this.all.set(Object.fromEntries(ids.length === 0 ? rest : [...rest, [program, ids]]));
  }

  /** Those whose steps are there. */
  #list(): readonly Breakpoint[] {
    const programs = this.project.programs.value;
    return Object.entries(this.all.value).flatMap(([program, ids]) => {
      const there = new Set(stepIds(programs[program]));
      return ids.filter((id) => there.has(id)).map((id): Breakpoint => [program, id]);
    });
  }

  /** A run that this person leads pauses at them from now on. */
  #tell(): void {
    const { operation, client, programs } = this.project;
    const { run } = operation;
    if (!this.#untold || run === null) return;
    if (!isUnderWay(run)) this.#untold = false;
    if (run.mode !== "streamed" || !["running", "paused"].includes(run.status)) return;
    this.#untold = false;
    const robot = operation.robot(programs.value[run.program]?.robot ?? "");
    if (robot?.holder === client) void operation.tellBreakpoints();
  }
}

function isBreakpoints(value: unknown): value is BreakpointsBy {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((ids) => Array.isArray(ids) && ids.every((id) => typeof id === "string"))
  );
}
