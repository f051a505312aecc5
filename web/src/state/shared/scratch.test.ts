import { expect, it } from "vitest";
import type { ProjectInfo } from "../../wire/generated";
import type { Library } from "./library";
import type { Project } from "./project";
import { beginCell, keepCell } from "./scratch";
import { Store } from "./store";

function tab() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

const info = (id: string) => ({ id }) as unknown as ProjectInfo;

it("comes back to the project of a robot in the same tab, and to no other", async () => {
  const asked: [string, string][] = [];
  const begin = (robot: string, again: string) => {
    asked.push([robot, again]);
    return Promise.resolve(info(again === "" ? `made-${asked.length}` : again));
  };
  const memory = tab();
  expect(await beginCell("ur3e", memory, begin)).toBe("made-1");
  expect(await beginCell("yumi", memory, begin)).toBe("made-2");
  expect(await beginCell("ur3e", memory, begin)).toBe("made-1");
  expect(await beginCell("ur3e", tab(), begin)).toBe("made-4");
  expect(asked.map(([, again]) => again)).toEqual(["", "", "made-1", ""]);
});

it("keeps a project, stays in its mode, and makes a new one the next time", async () => {
  const memory = tab();
  const begin = (_: string, again: string) => Promise.resolve(info(again === "" ? "new" : again));
  await beginCell("ur3e", memory, begin);
  const copied: string[] = [];
  const library = {
    duplicate: (id: string) => {
      copied.push(id);
      return Promise.resolve(info("kept"));
    },
  } as unknown as Library;
  const project = { id: "new", mode: new Store("teach") } as unknown as Project;
  expect(await keepCell(project, "ur3e", library, memory)).toBe("kept");
  expect(copied).toEqual(["new"]);
  expect(memory.getItem("openpendant.mode.kept")).toBe('"teach"');
  expect(memory.getItem("openpendant.scratch.ur3e")).toBe('""');
});
