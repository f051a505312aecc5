/** Library: the projects of this machine and the demo cells, and what can be done with them. */

import type { DemoInfo, ProjectInfo, Removed, RobotSummary } from "../../wire/generated";
import { RequestError } from "../../wire/rest";
import { Store } from "./store";
import { t } from "../texts";
import { requestProblem } from "./sentences";

export type Shelf<T> =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly items: readonly T[] }
  | { readonly state: "failed"; readonly message: string };

/** The calls to the server that are used; fakes in tests. */
export interface LibraryCalls {
  readonly fetchDemos: () => Promise<readonly DemoInfo[]>;
  readonly fetchRobots: () => Promise<readonly RobotSummary[]>;
  readonly fetchProjects: () => Promise<readonly ProjectInfo[]>;
  readonly createProject: (title: string, demo?: string) => Promise<ProjectInfo>;
  readonly duplicateProject: (id: string) => Promise<ProjectInfo>;
  readonly removeProject: (id: string) => Promise<Removed>;
  readonly bringBackProject: (kept: string) => Promise<ProjectInfo>;
  readonly importProject: (file: Blob) => Promise<ProjectInfo>;
}

/** The server takes no larger ones. */
const LARGEST_ARCHIVE = 64 * 1024 * 1024;

export class Library {
  readonly demos = new Store<Shelf<DemoInfo>>({ state: "loading" });
  readonly projects = new Store<Shelf<ProjectInfo>>({ state: "loading" });
  /** What robots are called, by their names in the catalogue. */
  readonly titles = new Store<ReadonlyMap<string, string>>(new Map());
  /** What is being done, by the name of what it is done to; "" is the library itself. */
  readonly busy = new Store<string | null>(null);

  constructor(private readonly calls: LibraryCalls) {}

  /** Look what there is; what was there before stays to be seen meanwhile. */
  async load(): Promise<void> {
    await Promise.all([
      fill(this.projects, this.calls.fetchProjects),
      this.demos.value.state === "ready" ? undefined : fill(this.demos, this.calls.fetchDemos),
      this.titles.value.size > 0 ? undefined : this.#learnTitles(),
    ]);
  }

  /** Make a project, empty or from a demo. Raises RequestError. */
  create(title: string, demo = ""): Promise<ProjectInfo> {
    return this.#do(demo, () => this.calls.createProject(title, demo));
  }

  duplicate(id: string): Promise<ProjectInfo> {
    return this.#do(id, () => this.calls.duplicateProject(id));
  }

  /** Put a project away; return what brings it back. */
  async remove(id: string): Promise<() => Promise<ProjectInfo>> {
    const { kept } = await this.#do(id, () => this.calls.removeProject(id));
    return () => this.#do("", () => this.calls.bringBackProject(kept));
  }

  async take(file: File): Promise<ProjectInfo> {
    if (file.size > LARGEST_ARCHIVE) {
      const mb = Math.round(file.size / 1024 / 1024);
      throw new RequestError(t("welcome.tooLarge", { name: file.name, mb }), false);
    }
    return this.#do("", () => this.calls.importProject(file));
  }

  async #learnTitles(): Promise<void> {
    try {
      const robots = await this.calls.fetchRobots();
      this.titles.set(new Map(robots.map(({ name, title }) => [name, title])));
    } catch {
      // Their names say it too; the next time something is loaded it is tried again.
    }
  }

  async #do<T>(what: string, act: () => Promise<T>): Promise<T> {
    this.busy.set(what);
    try {
      return await act();
    } finally {
      this.busy.set(null);
      void fill(this.projects, this.calls.fetchProjects);
    }
  }
}

async function fill<T>(shelf: Store<Shelf<T>>, fetch: () => Promise<readonly T[]>): Promise<void> {
  try {
    shelf.set({ state: "ready", items: await fetch() });
  } catch (error) {
    shelf.set({ state: "failed", message: inWords(error) });
  }
}

/** What went wrong, as a sentence for the person. */
export function inWords(error: unknown): string {
  return error instanceof RequestError ? requestProblem(error) : t("page.notDone");
}
