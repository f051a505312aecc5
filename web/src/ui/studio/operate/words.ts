/** What controllers say, in plain words. */

import { titleOfNamed, withTitles } from "../../../state/program/titles";
import type { Programs } from "../../../state/shared/patches";
import { type Words, wordsOf } from "../../../state/shared/said";
import { t, type TextKey } from "../../../state/texts";
import type { Event, RobotStatus } from "../../../wire/studio";

type Mode = RobotStatus["mode"];
type Safety = RobotStatus["safety"];
type Operating = NonNullable<RobotStatus["operating"]>;
type Kind = Event["kind"];
type Deed = NonNullable<Event["did"]>;
/** A text for each word of a closed set: one that the server has more than the page does not compile. */
type TextsOf<Word extends string> = Readonly<Record<Word, TextKey>>;

const MODES: TextsOf<Mode> = {
  unknown: "operate.mode.unknown",
  booting: "operate.mode.booting",
  off: "operate.mode.off",
  braked: "operate.mode.braked",
  ready: "operate.mode.ready",
  freedrive: "operate.mode.freedrive",
};

const SAFETY: TextsOf<Safety> = {
  unknown: "operate.safety.unknown",
  normal: "operate.safety.normal",
  reduced: "operate.safety.reduced",
  "protective stop": "operate.safety.protective",
  "safeguard stop": "operate.safety.safeguard",
  "enabling device": "operate.safety.enabling",
  "emergency stop": "operate.safety.emergency",
  recovery: "operate.safety.recovery",
  fault: "operate.safety.fault",
};

const EVENTS: TextsOf<Exclude<Kind, "person">> = {
  connected: "operate.event.connected",
  closed: "operate.event.closed",
  lost: "operate.event.lost",
  recovered: "operate.event.recovered",
  "job started": "operate.event.jobStarted",
  "job done": "operate.event.jobDone",
  "job failed": "operate.event.jobFailed",
  "job stopped": "operate.event.jobStopped",
  "job held": "operate.event.jobHeld",
  stopped: "operate.event.stopped",
  paused: "operate.event.paused",
  resumed: "operate.event.resumed",
  held: "operate.event.held",
  reduced: "operate.event.reduced",
  silent: "operate.event.silent",
  halt: "operate.event.halt",
  stumbled: "operate.event.stumbled",
  fault: "operate.event.fault",
  ready: "operate.event.ready",
  "not ready": "operate.event.notReady",
  "lease lost": "operate.event.leaseLost",
  output: "operate.event.output",
  input: "operate.event.input",
  tool: "operate.event.tool",
  mode: "operate.event.mode",
  safety: "operate.event.safety",
  "protective stop": "operate.event.protective",
  "emergency stop": "operate.event.emergency",
  warning: "operate.event.warning",
  message: "operate.event.message",
  popup: "operate.event.popup",
  "process started": "operate.event.processStarted",
  "process ended": "operate.event.processEnded",
  "start failed": "operate.event.startFailed",
  "not connected": "operate.event.notConnected",
};

/** What people do. */
const DEEDS: TextsOf<Deed> = {
  connect: "operate.did.connect",
  disconnect: "operate.did.disconnect",
  "take control": "operate.did.takeControl",
  "take over": "operate.did.takeOver",
  "give control": "operate.did.giveControl",
  "hand over": "operate.did.handOver",
  "ask control": "operate.did.askControl",
  run: "operate.did.run",
  pause: "operate.did.pause",
  resume: "operate.did.resume",
  "resume stopped": "operate.did.resumeStopped",
  "reset parts": "operate.did.resetParts",
  step: "operate.did.step",
  speed: "operate.did.speed",
  stop: "operate.did.stop",
  "switch on": "operate.did.switchOn",
  "switch off": "operate.did.switchOff",
  tool: "operate.did.tool",
  jog: "operate.did.jog",
  press: "operate.did.press",
  reduce: "operate.did.reduce",
  "lift reduced": "operate.did.liftReduced",
  leave: "operate.did.leave",
};

const OPERATING: Readonly<Record<Exclude<Operating, "unknown">, TextKey>> = {
  automatic: "operate.operating.automatic",
  manual: "operate.operating.manual",
  "manual full speed": "operate.operating.manualFull",
};

export const modeWords = (mode: Mode): string => t(MODES[mode]);
export const safetyWords = (safety: Safety): string => t(SAFETY[safety]);

/** Where the selector of a controller stands; empty: it has none, or does not tell. */
export const operatingWords = (operating: Operating): string =>
  operating === "unknown" ? "" : t(OPERATING[operating]);

export type Level = "stop" | "warn" | "calm";

/** How much an event matters; for what people do, to the others. */
export function levelOf({ kind, did }: Event): Level {
  switch (kind) {
    case "lost":
    case "silent":
    case "job failed":
    case "protective stop":
    case "emergency stop":
    case "process ended":
    case "start failed":
    case "not connected":
      return "stop";
    case "held":
    case "job held":
    case "warning":
    case "popup":
    case "stumbled":
      return "warn";
    case "person":
      return did === "stop" || did === "take over" || did === "leave" || did === "lift reduced"
        ? "warn"
        : "calm";
    case "connected":
    case "closed":
    case "recovered":
    case "job started":
    case "job done":
    case "job stopped":
    case "stopped":
    case "paused":
    case "resumed":
    case "reduced":
    case "halt":
    case "fault":
    case "ready":
    case "not ready":
    case "process started":
    case "lease lost":
    case "output":
    case "input":
    case "tool":
    case "mode":
    case "safety":
    case "message":
      return "calm";
    default:
      return kind satisfies never;
  }
}

/** An event as a sentence: what happened, and what was said about it; or who did what. */
export function eventWords(event: Event, programs: Programs = {}): string {
  const { kind, message } = event;
  const said = withTitles(event.said ?? message, programs);
  if (kind === "person") return deedWords(event, said, programs);
  const what = t(EVENTS[kind]);
  // The only arm of a robot needs no name.
  if (message === "" || message === kind || message === "arm") return what;
  return `${what}: ${wordsOf(said)}`;
}

function deedWords({ did = null, robot, who = "" }: Event, said: Words, programs: Programs): string {
  const words = wordsOf(said);
  const what = did === "run" || did === "resume stopped" ? titleOfNamed(words, programs) : words;
  const name = who === "" ? t("operate.control.somebody") : who;
  if (did === null) return `${name}: ${what}`;
  if (did === "connect" && what !== "") return t("operate.did.connectTo", { who: name, what });
  return t(DEEDS[did], { who: name, what, robot });
}

/** Events of which only the last of several in a row is worth a line. */
const REPEATED = new Set(["stumbled"]);

/** Events with how often each has happened in a row, oldest first. */
export function withoutRepeats(events: readonly Event[]): readonly (readonly [Event, number])[] {
  const lines: [Event, number][] = [];
  for (const event of events) {
    const last = lines.at(-1);
    if (last?.[0].kind === event.kind && last[0].robot === event.robot && REPEATED.has(event.kind)) {
      lines[lines.length - 1] = [event, last[1] + 1];
    } else lines.push([event, 1]);
  }
  return lines;
}

/** The time of day of an event, to the second. */
export const timeWords = (timeS: number): string =>
  new Date(1000 * timeS).toLocaleTimeString("en-GB", { hour12: false });
