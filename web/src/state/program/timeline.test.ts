import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Cell, Simulated, Report, StepReport } from "../../wire/studio";
import { FakeClock } from "../shared/fake-clock";
import type { Programs } from "../shared/patches";
import { onChange, Store } from "../shared/store";
import { between, hasTurns, sampleAt, stepAt, stopOf, Timeline } from "./timeline";

const RECORDED: Simulated = {
  type: "recorded",
  id: 1,
  program: "pick",
  seq: 1,
  t: [0, 0.5, 1],
  q: { "ur/arm": [[0], [1], [2]] },
  openings: {},
  tools: {},
  speeds: {},
  distance_m: [1, 1, 1],
  parts: {},
  steps: [
    ["pick", "s1", 0, 0.6],
    ["pick", "s2", 0.6, 1],
  ],
  status: "done",
  message: "",
};

function make(record: (name: string) => Promise<Simulated | null>) {
  const project = {
    openProgram: new Store<string | null>("pick"),
    programs: new Store<Programs>({}),
    cell: new Store<Cell>({ name: "c" }),
    record,
  };
  const clock = new FakeClock();
  return { project, clock, timeline: new Timeline(project, clock) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("Timeline", () => {
  it("records the open program, and once more after a burst of edits", async () => {
    const record = vi.fn(() => Promise.resolve(RECORDED));
    const { project, timeline } = make(record);
    await vi.runAllTimersAsync();
    expect(timeline.duration).toBe(1);
    for (let i = 0; i < 5; i++) project.cell.set({ name: `c${i}` });
    expect(timeline.stale.value).toBe(true);
    await vi.runAllTimersAsync();
    expect(record).toHaveBeenCalledTimes(2);
    expect(timeline.stale.value).toBe(false);
  });

  it("goes back to the start while what was recorded is still there, for who draws it", async () => {
    const { project, timeline } = make(() => Promise.resolve(RECORDED));
    await vi.runAllTimersAsync();
    timeline.seek(0.5);
    const seen: boolean[] = [];
    onChange(timeline.time, () => seen.push(timeline.recording.value !== null));
    project.openProgram.set("other");
    expect(seen).toEqual([true]);
    expect(timeline.recording.value).toBeNull();
  });

  it("keeps only the newest answer", async () => {
    const answers: ((value: Simulated | null) => void)[] = [];
    const { project, timeline } = make(() => new Promise((done) => answers.push(done)));
    await vi.runAllTimersAsync();
    project.cell.set({ name: "other" });
    await vi.runAllTimersAsync();
    answers[1]?.(null);
    answers[0]?.(RECORDED);
    await vi.runAllTimersAsync();
    expect(timeline.recording.value).toBe(null);
  });

  it("plays in real time, stops at the end and starts over", async () => {
    const { timeline, clock } = make(() => Promise.resolve(RECORDED));
    await vi.runAllTimersAsync();
    timeline.play();
    clock.advance(400);
    expect(timeline.time.value).toBeCloseTo(0.4, 6);
    clock.advance(2000);
    expect(timeline.time.value).toBe(1);
    expect(timeline.playing.value).toBe(false);
    timeline.play();
    expect(timeline.time.value).toBe(0);
  });

  it("seeks within the program, and to its steps", async () => {
    const { timeline } = make(() => Promise.resolve(RECORDED));
    await vi.runAllTimersAsync();
    timeline.seek(9);
    expect(timeline.time.value).toBe(1);
    timeline.seekStep("pick", "s2");
    expect(timeline.time.value).toBe(0.6);
    expect(stepAt(RECORDED, 0.7)?.step).toBe("s2");
    expect(stepAt(null, 0)).toBe(null);
  });
});

describe("samples", () => {
  it("are found and mixed", () => {
    expect(sampleAt(RECORDED.t, 0.75)).toEqual([1, 0.5]);
    expect(sampleAt(RECORDED.t, 5)).toEqual([1, 1]);
    expect(sampleAt([], 1)).toEqual([0, 0]);
    expect(between([[0], [2]], 0, 0.25)).toEqual([0.5]);
    expect(between([[3]], 0, 0.5)).toEqual([3]);
  });
});

describe("stopOf", () => {
  const failing = (id: string): Report =>
    ({
      clear: false,
      first_failing: id,
      first_failing_in: "pick",
      steps: [
        { id, program: "pick", findings: [{ kind: "collision", message: "", fails: true, fraction: 0.5 }] },
      ] as unknown as readonly StepReport[],
    }) as unknown as Report;

  it("is as far along the step as the check found", () => {
    expect(stopOf(failing("s2"), RECORDED)?.time).toBeCloseTo(0.8);
  });

  it("is at the end for a step that is never begun, and nowhere for what is clear", () => {
    expect(stopOf(failing("s3"), RECORDED)?.time).toBe(1);
    expect(stopOf({ ...failing("s2"), clear: true }, RECORDED)).toBeNull();
  });
});

it("has nothing to draw where no step takes time", () => {
  expect(hasTurns(RECORDED)).toBe(true);
  expect(hasTurns({ ...RECORDED, t: [0, 0.002], steps: [] })).toBe(false);
  expect(hasTurns({ ...RECORDED, steps: [["pick", "s1", 0, 0]] })).toBe(false);
  expect(hasTurns(null)).toBe(false);
});
