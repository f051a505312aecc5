/** What controllers say, in plain words. */

import { t, type TextKey } from "../../state/texts";
import type { Event } from "../../wire/studio";

type Words = Readonly<Record<string, TextKey>>;

const MODES: Words = {
  unknown: "operate.mode.unknown",
  booting: "operate.mode.booting",
  off: "operate.mode.off",
  braked: "operate.mode.braked",
  ready: "operate.mode.ready",
  freedrive: "operate.mode.freedrive",
};

const SAFETY: Words = {
  unknown: "operate.safety.unknown",
  normal: "operate.safety.normal",
  reduced: "operate.safety.reduced",
  "protective stop": "operate.safety.protective",
  "safeguard stop": "operate.safety.safeguard",
  "emergency stop": "operate.safety.emergency",
  recovery: "operate.safety.recovery",
  fault: "operate.safety.fault",
};

const EVENTS: Words = {
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
  halt: "operate.event.halt",
  stumbled: "operate.event.stumbled",
  ready: "operate.event.ready",
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
  control: "operate.event.control",
  run: "operate.event.run",
};

const STOPS = new Set([
  "lost",
  "job failed",
  "protective stop",
  "emergency stop",
  "process ended",
  "start failed",
]);
const WARNS = new Set(["held", "job held", "warning", "popup", "stumbled"]);

const known = (words: Words, word: string): string => {
  const key = words[word];
  return key === undefined ? word : t(key);
};

export const modeWords = (mode: string): string => known(MODES, mode === "" ? "unknown" : mode);
export const safetyWords = (safety: string): string => known(SAFETY, safety === "" ? "unknown" : safety);

export type Level = "stop" | "warn" | "calm";

export const levelOf = ({ kind }: Event): Level =>
  STOPS.has(kind) ? "stop" : WARNS.has(kind) ? "warn" : "calm";

/** An event as a sentence: what happened, and what was said about it. */
export function eventWords({ kind, message }: Event): string {
  const what = known(EVENTS, kind);
  if (kind === "control" || kind === "run") return message;
  // The only arm of a robot needs no name.
  if (message === "" || message === kind || message === "arm") return what;
  if (kind === "mode") return `${what}: ${modeWords(message)}`;
  if (kind === "safety") return `${what}: ${safetyWords(message)}`;
  return `${what}: ${message}`;
}

/** The time of day of an event, to the second. */
export const timeWords = (timeS: number): string =>
  new Date(1000 * timeS).toLocaleTimeString("en-GB", { hour12: false });
