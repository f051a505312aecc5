/** Session: the state of the robot page. Knows the catalogue, the robot on the screen and the line to the server. */

import type { RobotInfo, RobotSummary } from "../../wire/generated";
import { Live } from "../../wire/live";
import type { LinkStatus, RawSocket } from "../../wire/reconnecting-socket";
import { RequestError } from "../../wire/rest";
import type { FrameClock } from "../shared/glide";
import { OpenRobot } from "./open-robot";
import { wordsOf } from "../shared/said";
import { Store } from "../shared/store";
import { requestProblem } from "../shared/sentences";
import { t } from "../texts";
import { ViewState } from "../shared/view";

export type Catalogue =
  | { readonly state: "loading" }
  | { readonly state: "ready"; readonly robots: readonly RobotSummary[] }
  | { readonly state: "failed"; readonly message: string };

export type Shown =
  | { readonly state: "none" }
  | { readonly state: "loading"; readonly name: string }
  | { readonly state: "ready"; readonly robot: OpenRobot }
  | { readonly state: "failed"; readonly name: string; readonly message: string; readonly again: boolean };

/** The name of the robot that is shown, or that is on its way; "" where there is none. */
export function nameOf(shown: Shown): string {
  return shown.state === "none" ? "" : shown.state === "ready" ? shown.robot.info.name : shown.name;
}

/** Where the session gets what it needs; the browser in `main.ts`, fakes in tests. */
export interface Surroundings {
  readonly makeSocket: () => RawSocket;
  readonly fetchRobots: () => Promise<readonly RobotSummary[]>;
  readonly fetchRobot: (name: string, signal: AbortSignal) => Promise<RobotInfo>;
  readonly clock: FrameClock;
  /** The robot's name in the address, "" where there is none. */
  readonly readAddress: () => string;
  readonly writeAddress: (name: string) => void;
}

export class Session {
  readonly catalogue = new Store<Catalogue>({ state: "loading" });
  readonly shown = new Store<Shown>({ state: "none" });
  readonly link = new Store<LinkStatus>("connecting");
  /** True while the server lets a question wait. */
  readonly slow = new Store(false);
  /** Something a person did could not be done; one sentence. */
  readonly complaint = new Store<string | null>(null);
  readonly view = new ViewState();
  readonly live: Live;
  #loading = new AbortController();
  #started = false;

  constructor(private readonly around: Surroundings) {
    this.live = new Live(around.makeSocket, {
      statusChanged: (status) => this.#linkChanged(status),
      failed: (message) => this.complain(wordsOf(message)),
      slowChanged: (slow) => this.slow.set(slow),
    });
  }

  /** True where the robot page was opened. */
  get started(): boolean {
    return this.#started;
  }

  /** Connect and show the robot that the address names, or else the first of the catalogue. */
  async start(): Promise<void> {
    this.#started = true;
    this.live.connect();
    await this.#loadCatalogue();
  }

  /** Show this robot. */
  async choose(name: string): Promise<void> {
    // The address changes with every choice, and asks for the same robot once more.
    if (nameOf(this.shown.value) === name && this.shown.value.state !== "failed") return;
    this.#loading.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#close();
    this.complaint.set(null);
    this.around.writeAddress(name);
    this.shown.set({ state: "loading", name });
    try {
      const info = await this.around.fetchRobot(name, loading.signal);
      if (loading.signal.aborted) return;
      const robot = new OpenRobot(info, this.live, this.around.clock);
      this.shown.set({ state: "ready", robot });
      robot.active.value?.refresh();
    } catch (error) {
      if (loading.signal.aborted) return;
      this.shown.set({ state: "failed", name, ...inWords(error) });
    }
  }

  /** Try again what failed. */
  async retry(): Promise<void> {
    this.live.connect();
    if (this.catalogue.value.state === "failed") await this.#loadCatalogue();
    else if (this.shown.value.state === "failed") await this.choose(this.shown.value.name);
  }

  complain(message: string): void {
    this.complaint.set(message);
  }

  dispose(): void {
    this.#loading.abort();
    this.#close();
    this.live.dispose();
  }

  async #loadCatalogue(): Promise<void> {
    this.catalogue.set({ state: "loading" });
    try {
      const robots = await this.around.fetchRobots();
      this.catalogue.set({ state: "ready", robots });
      const name = this.around.readAddress() || robots[0]?.name;
      if (name !== undefined && this.shown.value.state !== "ready") await this.choose(name);
    } catch (error) {
      this.catalogue.set({ state: "failed", message: inWords(error).message });
    }
  }

  #close(): void {
    this.live.forget();
    if (this.shown.value.state === "ready") this.shown.value.robot.dispose();
  }

  #linkChanged(status: LinkStatus): void {
    this.link.set(status);
    if (status !== "open") return;
    const { catalogue, shown } = this;
    const mayHelp = shown.value.state === "failed" && shown.value.again;
    if (catalogue.value.state === "failed" || mayHelp) void this.retry();
    else if (shown.value.state === "ready") shown.value.robot.active.value?.refresh();
  }
}

function inWords(error: unknown): { readonly message: string; readonly again: boolean } {
  if (error instanceof RequestError) return { message: requestProblem(error), again: error.unreachable };
  return { message: t("page.unreadable"), again: false };
}
