import { describe, expect, it } from "vitest";
import type { ProjectInfo } from "../../wire/generated";
import { RequestError } from "../../wire/rest";
import { inWords, Library, type LibraryCalls } from "./library";

const project = (id: string): ProjectInfo => ({
  id,
  title: id.toUpperCase(),
  robots: [],
  programs: [],
  changed_s: 0,
});

function harness() {
  const world = { up: true, there: ["bench"], trash: [] as string[], busy: [] as (string | null)[] };
  const answer = <T>(value: () => T): Promise<T> =>
    world.up ? Promise.resolve(value()) : Promise.reject(new RequestError("nobody answers", true));
  const add = (id: string): ProjectInfo => {
    world.there.push(id);
    return project(id);
  };
  const calls: LibraryCalls = {
    fetchDemos: () => answer(() => []),
    fetchRobots: () => answer(() => []),
    fetchProjects: () => answer(() => world.there.map(project)),
    createProject: (title) => answer(() => add(title)),
    duplicateProject: (id) => answer(() => add(`${id}_copy`)),
    removeProject: (id) =>
      answer(() => {
        world.there = world.there.filter((one) => one !== id);
        world.trash.push(id);
        return { kept: id };
      }),
    bringBackProject: (kept) => answer(() => add(kept)),
    importProject: () => answer(() => add("imported")),
  };
  const library = new Library(calls);
  library.busy.subscribe((what) => world.busy.push(what));
  return { library, world };
}

const shown = (library: Library): string[] =>
  library.projects.value.state === "ready" ? library.projects.value.items.map(({ id }) => id) : [];

describe("Library", () => {
  it("shows what there is after everything that is done", async () => {
    const { library, world } = harness();
    await library.load();
    expect(shown(library)).toEqual(["bench"]);
    await library.duplicate("bench");
    await library.take(new File(["x"], "a.zip"));
    await library.load();
    expect(shown(library)).toEqual(["bench", "bench_copy", "imported"]);
    expect(world.busy).toEqual([null, "bench", null, "", null]);
  });

  it("brings back what was removed", async () => {
    const { library } = harness();
    const bringBack = await library.remove("bench");
    await library.load();
    expect(shown(library)).toEqual([]);
    await bringBack();
    await library.load();
    expect(shown(library)).toEqual(["bench"]);
  });

  it("says what is wrong, and comes back by itself", async () => {
    const { library, world } = harness();
    world.up = false;
    await library.load();
    expect(library.projects.value).toEqual({ state: "failed", message: "The server does not respond." });
    await expect(library.create("x")).rejects.toThrow(RequestError);
    expect(library.busy.value).toBeNull();
    world.up = true;
    await library.load();
    expect(shown(library)).toEqual(["bench"]);
    expect(library.demos.value.state).toBe("ready");
  });

  it("does not send what is too large", async () => {
    const { library, world } = harness();
    const large = { name: "all.zip", size: 65 * 1024 * 1024 } as File;
    const error = await library.take(large).catch((reason: unknown) => reason);
    expect(inWords(error)).toBe("all.zip has 65 MB; a project may have at most 64 MB.");
    expect(world.there).toEqual(["bench"]);
  });
});
