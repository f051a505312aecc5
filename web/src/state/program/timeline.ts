/**
 * Timeline: the open program as it would run, and the time that is shown. It is simulated again whenever the program
 * or its cell has changed, and keeps the time where it is.
 */

import type { Simulated, Report } from "../../wire/studio";
import type { FrameClock } from "../shared/glide";
import type { Project } from "../shared/project";
import { mainFinding } from "./steps-check";
import { onChange, Store } from "../shared/store";

/** What the timeline needs of a project. */
export type RecordingProject = Pick<Project, "openProgram" | "programs" | "cell" | "record">;

/** Edits that follow each other faster, as while dragging, are recorded once. */
const WAIT_MS = 250;

export class Timeline {
  readonly recording = new Store<Simulated | null>(null);
  /** Seconds since the program's start. */
  readonly time = new Store(0);
  readonly playing = new Store(false);
  /** True while the recording does not fit the program any more. */
  readonly stale = new Store(false);
  readonly #leaving: (() => void)[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #frame: number | null = null;

  constructor(
    private readonly project: RecordingProject,
    private readonly clock: FrameClock,
  ) {
    this.#leaving = [
      project.openProgram.subscribe(() => {
        this.pause();
        this.#forget();
        this.#refreshSoon(0);
      }),
      onChange(project.programs, () => this.#refreshSoon(WAIT_MS)),
      onChange(project.cell, () => this.#refreshSoon(WAIT_MS)),
    ];
  }

  /** How long the program takes; 0 while that is not known. */
  get duration(): number {
    return this.recording.value?.t.at(-1) ?? 0;
  }

  /** Look at a time; what plays goes on from there. */
  seek(seconds: number): void {
    this.time.set(Math.min(Math.max(0, seconds), this.duration));
  }

  play(): void {
    if (this.playing.value || this.duration === 0) return;
    if (this.time.value >= this.duration) this.time.set(0);
    this.playing.set(true);
    let last = this.clock.nowMs();
    const step = (): void => {
      const now = this.clock.nowMs();
      this.seek(this.time.value + (now - last) / 1000);
      last = now;
      if (this.time.value >= this.duration) this.pause();
      else this.#frame = this.clock.next(step);
    };
    this.#frame = this.clock.next(step);
  }

  pause(): void {
    if (this.#frame !== null) this.clock.cancel(this.#frame);
    this.#frame = null;
    this.playing.set(false);
  }

  toggle(): void {
    if (this.playing.value) this.pause();
    else this.play();
  }

  /** Go to where a step begins. */
  seekStep(program: string, step: string): void {
    const found = stepSpans(this.recording.value).find((one) => one.step === step && one.program === program);
    if (found !== undefined) this.seek(found.start);
  }

  dispose(): void {
    this.pause();
    clearTimeout(this.#timer);
    for (const leave of this.#leaving) leave();
  }

  /** The time goes first: its subscribers read what was recorded. */
  #forget(): void {
    this.time.set(0);
    this.recording.set(null);
  }

  #refreshSoon(waitMs: number): void {
    this.stale.set(true);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), waitMs);
  }

  async #refresh(): Promise<void> {
    const name = this.project.openProgram.value;
    const asked = ++this.#asked;
    if (name === null) {
      this.#forget();
      this.stale.set(false);
      return;
    }
    const found = await this.project.record(name);
    if (asked !== this.#asked) return;
    if (found === null) this.#forget();
    else this.recording.set(found);
    this.stale.set(false);
    this.seek(this.time.value);
  }
}

export interface StepSpan {
  readonly program: string;
  readonly step: string;
  readonly start: number;
  readonly end: number;
}

/** The turns of the steps of a recording, in their order. */
export function stepSpans(recording: Simulated | null): readonly StepSpan[] {
  return (recording?.steps ?? []).map((row) => {
    const [program, step, start, end] = row as [string, string, number, number];
    return { program, step, start, end };
  });
}

/** Whether any step of a recording takes time: without one there is nothing to be drawn. */
export const hasTurns = (recording: Simulated | null): boolean =>
  stepSpans(recording).some(({ start, end }) => end > start);

/** When a program fails, and at which of its steps; null: it does not. A step that is never begun fails at the end. */
export function stopOf(
  report: Report,
  recording: Simulated | null,
): { readonly time: number; readonly id: string; readonly program: string } | null {
  const { first_failing: id, first_failing_in: program } = report;
  if (report.clear || id === null) return null;
  const span = stepSpans(recording).find((one) => one.step === id && one.program === program);
  const found = mainFinding(report.steps.find((one) => one.id === id && one.program === program) ?? null);
  const time =
    span === undefined
      ? (recording?.t.at(-1) ?? 0)
      : span.start + (found?.fraction ?? 0) * (span.end - span.start);
  return { time, id, program };
}

/** The step whose turn it is at a time. */
export function stepAt(recording: Simulated | null, time: number): StepSpan | null {
  let found: StepSpan | null = null;
  for (const span of stepSpans(recording)) {
    if (span.start <= time + 1e-9 && time <= span.end + 1e-9) found = span;
  }
  return found;
}

/** Between which samples a time lies: the index of the first, and how far on the way to the next (0 to 1). */
export function sampleAt(t: readonly number[], time: number): readonly [number, number] {
  let low = 0;
  let high = t.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((t[middle] ?? 0) <= time) low = middle;
    else high = middle;
  }
  const a = t[low] ?? 0;
  const b = t[high] ?? a;
  return [low, b > a ? Math.min(1, Math.max(0, (time - a) / (b - a))) : 0];
}

/** A row of numbers between two samples. */
export function between(
  rows: readonly (readonly number[])[],
  index: number,
  share: number,
): readonly number[] {
  const a = rows[index] ?? [];
  const b = rows[index + 1] ?? a;
  return a.map((value, i) => value + share * ((b[i] ?? value) - value));
}
