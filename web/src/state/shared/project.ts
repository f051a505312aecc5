/**
 * Project: one open project as this page knows it. The server owns the truth; this copy follows its patches, and asks
 * for the whole where one is missing.
 */

import { ProjectSocket, type ProjectRequest, RefusedError } from "../../wire/project-socket";
import type { LinkStatus, RawSocket } from "../../wire/reconnecting-socket";
import { StopSocket } from "../../wire/stop-socket";
import type {
  Cell,
  Checked,
  FromServer,
  HistoryNow,
  Operating,
  Patch,
  Patched,
  Person,
  ProbeFinding,
  ProjectEdit,
  Simulated,
  SaveState,
  Whole,
} from "../../wire/studio";
import { ControlNews } from "../operate/control-news";
import { Operation } from "../operate/operator";
import { stampOf } from "../operate/jog";
import { Presence } from "../operate/presence";
import { applyPatch, applyProgramPatch, type Programs } from "./patches";
import { StopNews } from "../operate/stop-news";
import { type Words, wordsIn, wordsOf } from "./said";
import { Store } from "./store";
import { t } from "../texts";

export type Mode = "build" | "teach" | "program" | "operate";

export type CheckState =
  | { readonly state: "checking"; readonly before: Checked | null }
  | { readonly state: "checked"; readonly checked: Checked };

export type Checks = Readonly<Record<string, CheckState>>;

const EMPTY: Cell = { name: "" };
const NOTHING: HistoryNow = { type: "history", undo: [], redo: [] };

export class Project {
  /** False until the whole is here for the first time. */
  readonly ready = new Store(false);
  readonly link = new Store<LinkStatus>("connecting");
  readonly cell = new Store<Cell>(EMPTY);
  readonly programs = new Store<Programs>({});
  readonly people = new Store<readonly Person[]>([]);
  readonly history = new Store<HistoryNow>(NOTHING);
  readonly saved = new Store<SaveState>({ type: "saved", state: "saved", seq: 0 });
  readonly checks = new Store<Checks>({});
  readonly mode = new Store<Mode>("build");
  readonly selection = new Store<readonly string[]>([]);
  readonly openProgram = new Store<string | null>(null);
  readonly openStep = new Store<string | null>(null);
  /** How the open program runs, as it was last told; null: not known. */
  readonly recording = new Store<Simulated | null>(null);
  /** Where in the recording a person looks, seconds. */
  readonly time = new Store(0);
  readonly playing = new Store(false);
  /** Robots of the cell with a controller behind them, by name. */
  readonly connected = new Store<readonly string[]>([]);
  /** When this page heard of the last save, milliseconds since 1970; null: not since it came. */
  readonly savedAtMs = new Store<number | null>(null);
  /** What was done about unsaved edits of an earlier server; empty: nothing. */
  readonly recovered = new Store<Words>("");
  /** What the last undo or redo passed over, since somebody has changed it; empty: nothing. */
  readonly skipped = new Store("");
  /** Something a person did could not be done; one sentence. */
  readonly complaint = new Store<string | null>(null);
  readonly socket: ProjectSocket;
  /** The robots that run. */
  readonly operation: Operation;
  /** Who asks for control, and who has taken it. */
  readonly control: ControlNews;
  /** What became of the last STOP. */
  readonly stops = new StopNews();
  /** Says that somebody is here, while this page leads something that moves. */
  readonly presence: Presence;
  #seq = 0;
  #asked = false;
  #stopSocket: StopSocket | null = null;
  #moved = false;
  /** How many edits the last undo or redo has skipped. */
  #passedOver = 0;
  /** The complaint is about the link, and goes when that is back. */
  #complainsOfLink = false;

  constructor(
    readonly id: string,
    makeSocket: () => RawSocket,
    private me: { readonly client: string; readonly name: string },
    private readonly nowMs: () => number = () => Date.now(),
    private readonly makeStop: (url: string) => RawSocket = (url) => new WebSocket(url),
  ) {
    this.socket = new ProjectSocket(makeSocket, () => this.me, {
      statusChanged: (status) => {
        if (status !== "open") this.operation.lost();
        this.link.set(status);
      },
      told: (message) => this.#take(message),
      streamed: (data) => this.operation.frame(data),
    });
    this.operation = new Operation({
      act: (question) => this.act(question),
      probe: (robot, address) => this.#probe(robot, address),
      send: (message) => this.socket.send(message),
    });
    this.presence = new Presence({
      now: this.operation.now,
      held: this.operation.held,
      client: () => this.client,
      send: (message) => this.socket.send(message),
    });
    this.control = new ControlNews(
      () => this.client,
      (robot) => this.operation.gave.get(robot),
    );
    this.operation.now.subscribe((now) => this.control.take(now));
    this.operation.now.subscribe((now) => this.#forgetStop(now));
    this.operation.now.subscribe(({ robots }) => this.connected.set(robots.map(({ name }) => name)));
    for (const store of [this.mode, this.selection, this.openProgram])
      store.subscribe(() => this.#tellLook());
    this.openProgram.subscribe(() => this.#watch());
  }

  /** The number of the newest patch in this copy. */
  get seq(): number {
    return this.#seq;
  }

  /** Who this page is, among the people of the project. */
  get client(): string {
    return this.me.client;
  }

  start(): void {
    this.socket.connect();
  }

  /** Be known by another name from now on; where there is no link yet, the greeting will say it. */
  introduce(name: string): void {
    if (name === this.me.name) return;
    this.me = { ...this.me, name };
    this.socket.send({ type: "introduce", name });
  }

  /** Make an edit; a refusal is shown to the person, and the result is false. */
  async edit(edit: ProjectEdit): Promise<boolean> {
    return this.#try(this.socket.edit(edit));
  }

  /** Make an edit whose refusal is shown where it was made; the answer is why not, or null. */
  async attempt(edit: ProjectEdit): Promise<Words | null> {
    try {
      await this.socket.edit(edit);
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  async undo(): Promise<boolean> {
    return this.#try(this.socket.ask({ type: "undo" }));
  }

  async redo(): Promise<boolean> {
    return this.#try(this.socket.ask({ type: "redo" }));
  }

  /** Undo, or redo, so many of one's own edits; those that are skipped count. */
  async goBack(count: number, way: "undo" | "redo" = "undo"): Promise<void> {
    for (let left = count; left > 0; left -= 1 + this.#passedOver)
      if (!(await (way === "undo" ? this.undo() : this.redo()))) return;
  }

  async save(overwrite = false): Promise<boolean> {
    return this.#try(this.socket.ask({ type: "save", overwrite }));
  }

  /** Take the files as they are now; what was not saved is set aside. */
  async reload(): Promise<boolean> {
    return this.#try(this.socket.ask({ type: "reload" }));
  }

  /** Ask for something; a refusal is shown to the person, and the result is false. */
  async act(request: ProjectRequest): Promise<boolean> {
    return this.#try(this.socket.ask(request));
  }

  /** Stop every robot of the cell. Needs no control of any of them. */
  stopAll(): void {
    this.operation.letGo();
    // Both lines, whichever is quicker; one of them shares nothing with the server's other work.
    const press = crypto.randomUUID();
    const aside = this.#stopSocket?.stop(press) ?? false;
    this.stops.sent(aside || this.socket.status === "open");
    this.socket.ask({ type: "stop", press }).then(
      () => this.stops.answered(),
      // What the server says about each robot comes by itself.
      (error: unknown) => {
        if (error instanceof RefusedError && error.why === "server") this.stops.answered();
      },
    );
  }

  /** Give one of the cell's own fields another value. */
  async setOwn(field: "title" | "notes", value: string): Promise<boolean> {
    return this.edit({ edit: "cell", command: { do: "set", name: "", field, value } });
  }

  /** How a program runs, for the timeline; null where it cannot be told. */
  async record(program: string, dtS = 0.02): Promise<Simulated | null> {
    try {
      const answer = await this.socket.ask({ type: "recording", program, dt_s: dtS });
      return answer.type === "recorded" ? answer : null;
    } catch {
      return null;
    }
  }

  complain(message: string | null): void {
    this.#complainsOfLink = false;
    this.complaint.set(message);
  }

  dispose(): void {
    this.presence.dispose();
    this.stops.clear();
    this.#stopSocket?.dispose();
    this.operation.dispose();
    this.socket.dispose();
  }

  async #probe(robot: string, address: string): Promise<readonly ProbeFinding[] | null> {
    const asked = this.socket.ask({ type: "probe", robot, address });
    if (!(await this.#try(asked))) return null;
    const answer = await asked;
    return answer.type === "probed" ? answer.findings : null;
  }

  async #try(asked: Promise<unknown>): Promise<boolean> {
    try {
      await asked;
      this.complaint.set(null);
      return true;
    } catch (error) {
      this.complain(wordsOf(reasonOf(error)));
      this.#complainsOfLink = error instanceof RefusedError && error.why !== "server";
      return false;
    }
  }

  #take(message: FromServer): void {
    switch (message.type) {
      case "whole":
        this.#takeWhole(message);
        break;
      case "patch":
        this.#follow(message);
        break;
      case "people":
        this.people.set(message.people);
        break;
      case "history":
        this.history.set(message);
        break;
      case "saved":
        this.#takeSaved(message);
        break;
      case "checking":
        this.#setCheck(message.program, { state: "checking", before: this.#checked(message.program) });
        break;
      case "checked":
        this.#setCheck(message.program, { state: "checked", checked: message });
        break;
      case "ping":
        this.socket.send({ type: "pong", number: message.number, stamp_ns: stampOf(performance.now()) });
        this.operation.take(message);
        break;
      case "stopped":
        this.stops.take(message);
        break;
      case "operating":
      case "events":
        this.operation.take(message);
        break;
      case "refused":
        this.complaint.set(wordsOf(message.said ?? message.message));
        break;
      case "done":
      case "probed":
      case "recorded":
      case "nearest":
      case "samples":
        break;
      default:
        // A newer server may say more than this page knows.
        break;
    }
  }

  #openStopSocket(url: string): void {
    if (url === (this.#stopSocket?.url ?? "")) return;
    this.#stopSocket?.dispose();
    this.#stopSocket =
      url === "" ? null : new StopSocket(url, this.makeStop, (told) => this.stops.take(told));
  }

  /** What a stop has done is old news once something moves again; what it has not done stays. */
  #forgetStop({ robots }: Operating): void {
    const moves = robots.some(({ moving }) => moving);
    if (moves && !this.#moved && this.stops.lines.value.every(({ level }) => level === "calm"))
      this.stops.clear();
    this.#moved = moves;
  }

  #takeSaved(message: SaveState): void {
    if (message.state === "saved" && this.saved.value.state !== "saved") this.savedAtMs.set(this.nowMs());
    this.saved.set(message);
  }

  #takeWhole(whole: Whole & { readonly stop_url?: string }): void {
    this.#seq = whole.seq;
    this.#asked = false;
    this.cell.set(whole.cell);
    this.programs.set(whole.programs);
    this.people.set(whole.people);
    this.history.set(whole.history);
    this.saved.set(whole.saved);
    this.recovered.set(whole.said ?? whole.recovered ?? "");
    this.#openStopSocket(whole.stop_url ?? "");
    if (this.#complainsOfLink) this.complain(null);
    const open = this.openProgram.value;
    if (open === null || whole.programs[open] === undefined) {
      this.openProgram.set(Object.keys(whole.programs)[0] ?? null);
    } else {
      this.#watch();
    }
    this.ready.set(true);
    this.#tellLook();
  }

  #follow({ patch }: Patched): void {
    if (patch.seq <= this.#seq) return;
    if (patch.seq !== this.#seq + 1) {
      if (!this.#asked) this.#asked = this.socket.send({ type: "resync" });
      return;
    }
    this.#seq = patch.seq;
    if (patch.author === this.client) this.#noteSkipped(patch);
    const programs = applyProgramPatch(this.programs.value, patch);
    const open = this.openProgram.value;
    const next = open !== null && programs[open] === undefined ? (Object.keys(programs)[0] ?? null) : open;
    // Nobody sees an open program that is gone, or not here yet.
    if (next !== open) this.openProgram.set(next !== null && next in this.programs.value ? next : null);
    this.programs.set(programs);
    this.cell.set(applyPatch(this.cell.value, patch));
    this.openProgram.set(next);
  }

  /** Another edit of this person's, and the notice about what an undo has passed over is old news. */
  #noteSkipped({ skipped = [], skipped_said }: Patch): void {
    const [newest] = wordsIn(skipped, skipped_said);
    this.#passedOver = skipped.length;
    this.skipped.set(
      newest === undefined ? "" : t("shell.skipped", { count: skipped.length, why: wordsOf(newest) }),
    );
  }

  #checked(program: string): Checked | null {
    const known = this.checks.value[program];
    if (known === undefined) return null;
    return known.state === "checked" ? known.checked : known.before;
  }

  #setCheck(program: string, check: CheckState): void {
    this.checks.set({ ...this.checks.value, [program]: check });
  }

  #watch(): void {
    const open = this.openProgram.value;
    if (this.link.value === "open")
      this.socket.send({ type: "watch", programs: open === null ? [] : [open] });
  }

  #tellLook(): void {
    if (!this.ready.value) return;
    this.socket.send({
      type: "look",
      mode: this.mode.value,
      selected: this.selection.value,
      program: this.openProgram.value ?? "",
    });
  }
}

function reasonOf(error: unknown): Words {
  if (!(error instanceof RefusedError)) return t("page.notDone");
  switch (error.why) {
    case "server":
      return error.said ?? error.message;
    case "lost":
      return t("page.lostMeanwhile");
    case "offline":
      return t("page.noLink");
  }
}
