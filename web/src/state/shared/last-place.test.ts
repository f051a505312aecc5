import { expect, it } from "vitest";
import { rememberPlace } from "./last-place";
import type { Mode, Project } from "./project";
import { Store } from "./store";

const open = (id: string) => ({
  id,
  mode: new Store<Mode>("build"),
  openProgram: new Store<string | null>(null),
});

it("comes back to the mode and the program where the tab was, in each project to its own", () => {
  const kept = new Map<string, string>();
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const before = open("a");
  rememberPlace(before as unknown as Project, memory);
  before.mode.set("program");
  before.openProgram.set("stack");
  const again = open("a");
  rememberPlace(again as unknown as Project, memory);
  expect([again.mode.value, again.openProgram.value]).toEqual(["program", "stack"]);
  const other = open("b");
  rememberPlace(other as unknown as Project, memory);
  expect([other.mode.value, other.openProgram.value]).toEqual(["build", null]);
  kept.set("openpendant.mode.a", '"elsewhere"');
  const damaged = open("a");
  rememberPlace(damaged as unknown as Project, memory);
  expect(damaged.mode.value).toBe("build");
});
