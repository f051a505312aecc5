import { describe, expect, it } from "vitest";
import type { Program, RobotStatus, RunStatus } from "../../wire/studio";
import { OFF } from "../operate/operator";
import type { Memory } from "../shared/preferences";
import type { Project } from "../shared/project";
import { Store } from "../shared/store";
import { Breakpoints } from "./breakpoints";

const PROGRAM: Program = {
  name: "a",
  robot: "ur",
  steps: [
    { do: "wait", id: "s1", seconds: 1 },
    { do: "group", id: "s2", title: "g", steps: [{ do: "wait", id: "s3", seconds: 1 }] },
  ],
};

class Kept implements Memory {
  readonly values = new Map<string, string>();
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
}

function opened(memory: Memory = new Kept()) {
  const now = new Store(OFF);
  const told: unknown[] = [];
  const operation = {
    now,
    breakpoints: new Store<readonly (readonly [string, string])[]>([]),
    get run(): RunStatus | null {
      return now.value.run;
    },
    robot: () => ({ holder: "me" }) as RobotStatus,
    tellBreakpoints: () => {
      told.push(operation.breakpoints.value);
      return Promise.resolve(true);
    },
  };
  const programs = new Store<Readonly<Record<string, Program>>>({ a: PROGRAM });
  const project = { id: "p1", client: "me", programs, operation } as unknown as Project;
  const run = (status: RunStatus["status"], mode: RunStatus["mode"] = "streamed"): void =>
    now.set({
      ...OFF,
      run: { type: "run status", program: "a", mode, status, message: "", step: null, by: "me", speed: 1 },
    });
  return { breakpoints: new Breakpoints(project, memory), operation, programs, told, run };
}

describe("Breakpoints", () => {
  it("are kept for the project, and set and taken away together", () => {
    const memory = new Kept();
    const { breakpoints, operation } = opened(memory);
    breakpoints.toggle("a", ["s1"]);
    breakpoints.toggle("a", ["s1", "s3"]);
    expect(opened(memory).breakpoints.of("a")).toEqual(["s1", "s3"]);
    expect(operation.breakpoints.value).toEqual([
      ["a", "s1"],
      ["a", "s3"],
    ]);
    breakpoints.toggle("a", ["s3", "s1"]);
    expect(operation.breakpoints.value).toEqual([]);
    breakpoints.toggle("a", ["s2"]);
    breakpoints.clear("a");
    expect(opened(memory).breakpoints.all.value).toEqual({});
  });

  it("count where their step is there; an undone removal brings them back", () => {
    const { breakpoints, operation, programs } = opened();
    breakpoints.toggle("a", ["s3"]);
    programs.set({ a: { ...PROGRAM, steps: [] } });
    expect(operation.breakpoints.value).toEqual([]);
    programs.set({ a: PROGRAM });
    expect(operation.breakpoints.value).toEqual([["a", "s3"]]);
  });

  it("are told to a streamed run, as soon as it runs", () => {
    const { breakpoints, told, run } = opened();
    breakpoints.toggle("a", ["s1"]);
    expect(told).toEqual([]);
    run("checking");
    breakpoints.toggle("a", ["s3"]);
    expect(told).toEqual([]);
    run("running");
    expect(told).toHaveLength(1);
    run("paused");
    expect(told).toHaveLength(1);
    breakpoints.clear("a");
    expect(told.at(-1)).toEqual([]);
    run("running", "uploaded");
    breakpoints.toggle("a", ["s1"]);
    expect(told).toHaveLength(2);
  });

  it("start anew where the memory is damaged", () => {
    const memory = new Kept();
    memory.setItem("openpendant.breakpoints.p1", '{"a": [1]}');
    expect(opened(memory).breakpoints.of("a")).toEqual([]);
  });
});
