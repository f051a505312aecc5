/**
 * Operation: the robots of a project that run, as this page knows them: what their controllers say, who has control,
 * how the run stands, where their joints are. Nothing here guesses; the server owns the truth.
 */

import type { ProjectRequest } from "../../wire/project-socket";
import type {
  Event,
  FromRobots,
  Operating,
  PartPlace,
  ProbeFinding,
  RobotStatus,
  RunStatus,
} from "../../wire/studio";
import { pageFrames } from "../shared/frame-source";
import { browserClock, type FrameClock } from "../shared/glide";
import { type ArmJoints, type JointsNow, readJoints } from "./frames";
import { type HandTrace, InputDelay, type InputDelays, type SeenTrace } from "./input-delay";
import { Jogging, type JogLine } from "./jog";
import { SentWindow } from "./sent-window";
import { Store } from "../shared/store";

/** The part of a project that operation needs. */
export interface OperatingLine extends JogLine {
  /** Ask for something; false if it was refused, which the page shows. */
  readonly act: (request: ProjectRequest) => Promise<boolean>;
  /** Ask what is at an address; null where it could not be told, and the person was. */
  readonly probe: (robot: string, address: string) => Promise<readonly ProbeFinding[] | null>;
}

/** What became of robots that ran when the link to the server was lost. */
export interface Interrupted {
  /** The program that ran; empty: none did. */
  readonly program: string;
  /** Addresses that the robots had, by robot; virtual ones have none. */
  readonly addresses: Readonly<Record<string, string>>;
}

export const OFF: Operating = {
  type: "operating",
  state: "off",
  message: "",
  robots: [],
  run: null,
  layout: [],
  stale: false,
};

/** How well the joints arrive. */
export interface StreamHealth {
  /** Messages in the last second. */
  readonly rateHz: number;
  /** Milliseconds since the last one; null: none came yet. */
  readonly ageMs: number | null;
}

/** The round trip between this page and the server. */
export interface LinkDelay {
  /** The least of the last seconds, milliseconds; null: not measured yet. */
  readonly ms: number | null;
  /** Whether the server knows this page's clock; until then it obeys no intents. */
  readonly known: boolean;
}

/** With a longer round trip than this, intents are too old when they arrive, and the robot does not move. */
export const MOST_DELAY_MS = 150;

/** Older than this, what is shown is not what is. The server sends at least four times a second. */
export const STALE_MS = 1000;
const MOST_EVENTS = 500;
const MOST_TRACES = 120;
/** Events that end a jog. */
const BARS = new Set(["held", "job held", "job failed"]);
const WINDOW_MS = 1000;

export class Operation {
  readonly now = new Store<Operating>(OFF);
  readonly events = new Store<readonly Event[]>([]);
  readonly joints = new Store<JointsNow>({});
  /** Parts that are not where the cell says, since the present or last run. */
  readonly parts = new Store<readonly PartPlace[]>([]);
  /** Set where the server was restarted while robots ran; null: it was not, or they were connected since. */
  readonly interrupted = new Store<Interrupted | null>(null);
  readonly stream = new Store<StreamHealth>({ rateHz: 0, ageMs: null });
  /** How long a question to the server and its answer take, milliseconds; null: not known yet. */
  readonly roundTripMs = new Store<number | null>(null);
  /** How late intents of this page arrive, as the server measures it; null: it has not said so. */
  readonly delay = new Store<LinkDelay | null>(null);
  /** How long a hand on this page takes to be obeyed and seen; null: it has not moved anything yet. */
  readonly inputDelay = new Store<InputDelays | null>(null);
  /** Samples of the hand on their way to the picture, oldest first. */
  readonly traces = new Store<readonly SeenTrace[]>([]);
  /** The robot that the panel shows; empty: the first. */
  readonly chosen = new Store("");
  /** The arm of it that is jogged; empty: the first. */
  readonly chosenArm = new Store("");
  /** The speed override that the person has chosen, 0 to 1. */
  readonly speed = new Store(1);
  /** The next run begins at the open step; it holds for that run alone. */
  readonly fromStep = new Store(false);
  /** Steps before which a streamed run pauses, by program and id. */
  readonly breakpoints = new Store<readonly (readonly [program: string, step: string])[]>([]);
  /** What waits for its answer, such as "connect" or "run". */
  readonly busy = new Store<readonly string[]>([]);
  /** To whom this page has given control last, by robot. */
  readonly gave = new Map<string, string>();
  /** The hand on the page's own buttons. */
  readonly jogging: Jogging;
  /** What any hand holds; null: nothing is held. */
  readonly held = new Store<string | null>(null);
  readonly #hands: Jogging[] = [];
  readonly #unseen: HandTrace[] = [];
  readonly #arrivals: number[] = [];
  readonly #sent = new SentWindow();
  readonly #input = new InputDelay();
  #offsetS: number | null = null;
  #newest: JointsNow | null = null;
  #lostWhile: Operating | null = null;

  constructor(
    private readonly line: OperatingLine,
    private readonly nowMs: () => number = () => performance.now(),
    /** Joints are shown once a picture, however fast they come. */
    private readonly nextPicture: (show: () => void) => void = (show) => pageFrames.next(show),
    private readonly clock: FrameClock = browserClock,
  ) {
    this.jogging = this.newHand();
  }

  /** A further hand, with a clutch of its own: one for each arm that a device drives. */
  newHand(): Jogging {
    const hand = new Jogging(this.line, this.clock);
    this.#hands.push(hand);
    hand.held.subscribe(() =>
      this.held.set(this.#hands.map(({ held }) => held.value).find((held) => held !== null) ?? null),
    );
    return hand;
  }

  /** It is used no more. */
  dropHand(hand: Jogging): void {
    hand.end();
    const at = this.#hands.indexOf(hand);
    if (at > 0) this.#hands.splice(at, 1);
  }

  /** Let go of everything that is held. */
  letGo(): boolean {
    return this.#hands.map((hand) => hand.end()).includes(true);
  }

  get run(): RunStatus | null {
    return this.now.value.run;
  }

  /** True where a program moves robots or could go on to. */
  get running(): boolean {
    return isUnderWay(this.run);
  }

  robot(name: string): RobotStatus | undefined {
    return this.now.value.robots.find((one) => one.name === name);
  }

  /** The robot that the panel shows. */
  get shown(): RobotStatus | undefined {
    return this.robot(this.chosen.value) ?? this.now.value.robots[0];
  }

  connect(addresses: Readonly<Record<string, string>> = {}): Promise<boolean> {
    return this.#while("connect", { type: "connect", addresses });
  }

  /** Look at what is at an address before connecting to it. */
  async probe(robot: string, address: string): Promise<readonly ProbeFinding[] | null> {
    const done = this.#begin(`probe ${robot}`);
    try {
      return await this.line.probe(robot, address);
    } finally {
      done();
    }
  }

  disconnect(): Promise<boolean> {
    return this.#while("disconnect", { type: "disconnect" });
  }

  takeControl(robot: string, takeOver = false): Promise<boolean> {
    this.gave.delete(robot);
    return this.#while("control", { type: "take control", robot, take_over: takeOver });
  }

  giveControl(robot: string, to = ""): Promise<boolean> {
    this.gave.set(robot, to);
    return this.#while("control", { type: "give control", robot, to });
  }

  askControl(robot: string): Promise<boolean> {
    return this.#while("control", { type: "ask control", robot });
  }

  /** Run a program from where the arms stand, with the speed that was chosen. */
  async start(
    program: string,
    how: {
      readonly mode: RunStatus["mode"];
      readonly reduced: boolean;
      readonly loop: boolean;
      /** Begin at this step; empty: at the first. */
      readonly from_step?: string;
      /** Pause after one step. */
      readonly single?: boolean;
    },
  ): Promise<boolean> {
    this.letGo();
    // A run begins at full speed, and what the server says of it comes before the answer.
    const wanted = this.speed.value;
    const breakpoints = how.mode === "streamed" ? this.breakpoints.value : [];
    if (!(await this.#while("run", { type: "run", program, ...how, breakpoints }))) return false;
    this.fromStep.set(false);
    if (wanted < 1 && how.mode === "streamed") await this.setSpeed(wanted);
    return true;
  }

  /** Run on where the last run was stopped, with the speed that was chosen. */
  async resumeStopped(): Promise<boolean> {
    this.jogging.end();
    const wanted = this.speed.value;
    const breakpoints = this.breakpoints.value;
    if (!(await this.#while("run", { type: "resume stopped", breakpoints }))) return false;
    if (wanted < 1) await this.setSpeed(wanted);
    return true;
  }

  /** Tell the run that is under way where it pauses. */
  tellBreakpoints(): Promise<boolean> {
    return this.line.act({ type: "breakpoints", breakpoints: this.breakpoints.value });
  }

  /** All parts are back where the cell says. */
  resetParts(): Promise<boolean> {
    return this.#while("parts", { type: "reset parts" });
  }

  pause(): Promise<boolean> {
    return this.#while("pause", { type: "pause" });
  }

  resume(): Promise<boolean> {
    return this.#while("pause", { type: "resume" });
  }

  /** Make one step, and pause. */
  step(): Promise<boolean> {
    return this.#while("pause", { type: "step" });
  }

  /** Choose the override of all speeds; a run that is under way takes it at once. */
  async setSpeed(fraction: number): Promise<boolean> {
    this.speed.set(Math.min(1, Math.max(0.01, fraction)));
    return this.running ? this.line.act({ type: "speed", fraction: this.speed.value }) : true;
  }

  setOutput(robot: string, signal: string, value: boolean): Promise<boolean> {
    return this.#while(`output ${signal}`, { type: "output", robot, signal, value });
  }

  setTool(robot: string, arm: string, openingM: number): Promise<boolean> {
    return this.#while("tool", { type: "tool", robot, arm, opening_m: openingM });
  }

  /** Hold tool and elbow of a robot under 250 mm/s, or lift that. */
  setReduced(robot: string, reduced: boolean): Promise<boolean> {
    return this.#while("reduced", { type: "reduced", robot, reduced });
  }

  press(robot: string, button: string): Promise<boolean> {
    return this.#while("press", { type: "press", robot, button });
  }

  /** Take in what the server says. */
  take(message: FromRobots): void {
    if (message.type === "events") {
      const newest = this.events.value.at(-1)?.number ?? -1;
      const fresh = message.events.filter(({ number }) => number > newest);
      if (fresh.length > 0) this.events.set([...this.events.value, ...fresh].slice(-MOST_EVENTS));
      if (newest >= 0)
        for (const { kind, robot, message: why, said } of fresh)
          if (BARS.has(kind)) for (const hand of this.#hands) hand.bar(robot, said ?? why);
      return;
    }
    if (message.type === "ping") {
      this.delay.set({ ms: message.delay_ms, known: message.offset_known });
      this.#offsetS = message.offset_s ?? null;
      return;
    }
    if (message.type !== "operating") return;
    this.#lookBack(message);
    if (message.state !== "on") {
      this.#newest = null;
      this.joints.set({});
      this.#sent.clear();
      this.#arrivals.length = 0;
      this.stream.set({ rateHz: 0, ageMs: null });
      this.letGo();
    }
    this.now.set(message);
    const parts = message.parts ?? [];
    if (parts.length > 0 || this.parts.value.length > 0) this.parts.set(parts);
    if (message.run !== null && isUnderWay(message.run)) this.speed.set(message.run.speed);
  }

  /** Take in a message of the stream. */
  frame(data: ArrayBuffer): void {
    const frames = readJoints(data, this.now.value.layout);
    if (frames === null) return;
    const now = this.nowMs();
    const joints = this.#sent.take(frames);
    const driven = this.#hands.map(({ arm }) => arm).find((arm) => arm !== "");
    const moved = driven === undefined ? undefined : frames[driven];
    if (moved !== undefined && this.#offsetS !== null) {
      this.inputDelay.set(this.#input.take(moved, this.#offsetS, now));
      if (this.#input.trace !== null) this.#unseen.push(this.#input.trace);
    }
    this.#arrivals.push(now);
    this.#forget(now);
    const waits = this.#newest !== null;
    this.#newest = joints;
    if (!waits)
      this.nextPicture(() => {
        const newest = this.#newest;
        this.#newest = null;
        if (newest !== null) this.joints.set(newest);
        this.#see();
      });
  }

  /** The joints of an arm; undefined while nothing is heard of it. */
  arm(robot: string, arm: string): ArmJoints | undefined {
    return this.joints.value[`${robot}/${arm}`];
  }

  /** Look at the clock: how old the stream is. Called a few times a second by who shows it. */
  tick(): void {
    const now = this.nowMs();
    const last = this.#arrivals.at(-1);
    this.#forget(now);
    const ageMs = last === undefined ? null : Math.round(now - last);
    this.stream.set({ rateHz: this.#arrivals.filter((at) => now - at <= WINDOW_MS).length, ageMs });
  }

  /** The link to the server is lost: nothing that was held is held any more, and what is shown gets old. */
  lost(): void {
    if (this.now.value.state === "on") this.#lostWhile = this.now.value;
    this.letGo();
    this.roundTripMs.set(null);
    this.delay.set(null);
    this.inputDelay.set(null);
    this.#input.clear();
    this.#unseen.length = 0;
    this.traces.set([]);
    this.#offsetS = null;
    // A server that comes back restarts the numbers of its log.
    this.events.set([]);
  }

  dispose(): void {
    this.letGo();
  }

  /** What was on its way is in the picture now. */
  #see(): void {
    const waiting = this.#unseen.splice(0);
    if (waiting.length === 0) return;
    const nowMs = this.nowMs();
    const seen = waiting.map((trace): SeenTrace => ({ ...trace, pictureMs: nowMs - trace.atMs }));
    this.traces.set([...this.traces.value, ...seen].slice(-MOST_TRACES));
  }

  /** Keep the arrivals of the last second, and the last one however old it is. */
  #forget(now: number): void {
    while (this.#arrivals.length > 1 && now - (this.#arrivals[0] ?? now) > WINDOW_MS) this.#arrivals.shift();
  }

  /** A server that ran robots when it was lost and runs none now was restarted. */
  #lookBack({ state }: Operating): void {
    const before = this.#lostWhile;
    this.#lostWhile = null;
    if (state === "on" || state === "starting") this.interrupted.set(null);
    else if (before !== null && state === "off")
      this.interrupted.set({
        program: before.run !== null && isUnderWay(before.run) ? before.run.program : "",
        addresses: Object.fromEntries(
          before.robots.filter(({ how }) => how === "real").map(({ name, address }) => [name, address]),
        ),
      });
  }

  #begin(what: string): () => void {
    this.busy.set([...this.busy.value, what]);
    return () => {
      const at = this.busy.value.indexOf(what);
      this.busy.set(this.busy.value.filter((_, i) => i !== at));
    };
  }

  async #while(what: string, request: ProjectRequest): Promise<boolean> {
    const done = this.#begin(what);
    try {
      return await this.line.act(request);
    } finally {
      done();
    }
  }
}

/** True where a run has begun and not ended. */
export function isUnderWay(run: RunStatus | null): boolean {
  return run !== null && ["checking", "ready", "running", "paused"].includes(run.status);
}
