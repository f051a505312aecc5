/** StopNews: what became of a STOP, as the server says; nothing here is guessed. */

import type { RobotStop, Stopped } from "../../wire/studio";
import { Store } from "../shared/store";
import { wordsOf } from "../shared/said";
import { t } from "../texts";

/** How much a person must care. */
export type StopLevel = "alert" | "warn" | "calm";

export interface StopLine {
  readonly level: StopLevel;
  readonly words: string;
}

/** Answers to one STOP come over two lines; those within this time are about the same. */
const SAME_MS = 3000;
/** No word about a STOP within this time: somebody at the robot has to act. */
export const ANSWER_MS = 2000;
/** Where all robots are at rest, the news goes by itself after this time. */
export const CALM_MS = 10_000;

export class StopNews {
  /** What to show, one line for each robot; empty: nothing. */
  readonly lines = new Store<readonly StopLine[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told: Stopped | null = null;
  #toldMs = -Infinity;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** STOP was pressed on this page, and went out or did not. */
  sent(wasSent: boolean): void {
    this.clear();
    if (wasSent) this.#timer = setTimeout(() => this.#alarm(t("shell.stop.noAnswer")), ANSWER_MS);
    else this.#alarm(t("shell.stop.noLink"));
  }

  /** The server has answered, with or without figures. */
  answered(): void {
    clearTimeout(this.#timer);
  }

  take(stopped: Stopped): void {
    this.answered();
    const now = this.nowMs();
    const same = this.#told !== null && now - this.#toldMs < SAME_MS;
    this.#told = same && this.#told !== null ? together(this.#told, stopped) : stopped;
    this.#toldMs = now;
    const lines = stopLines(this.#told);
    this.lines.set(lines);
    if (lines.every(({ level }) => level === "calm")) this.#timer = setTimeout(() => this.clear(), CALM_MS);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#told = null;
    this.lines.set([]);
  }

  #alarm(words: string): void {
    this.lines.set([{ level: "alert", words }]);
  }
}

/**
 * What two answers to the same stop say: a robot that one of them has seen at rest is at rest, and the one that came
 * first to a moving robot has measured how far it went; for the other it rested already.
 */
function together(first: Stopped, second: Stopped): Stopped {
  const knows = ({ reached, rest_ms, distance_mm }: RobotStop): number =>
    Number(reached) + Number(rest_ms !== null) + Number(distance_mm !== null);
  const robots = new Map(first.robots.map((one) => [one.robot, one]));
  for (const one of second.robots) {
    const known = robots.get(one.robot);
    const more = known === undefined ? 1 : knows(one) - knows(known);
    const longer = (one.rest_ms ?? 0) >= (known?.rest_ms ?? 0);
    if (more > 0 || (more === 0 && longer)) robots.set(one.robot, one);
  }
  const cancelled = [first.cancelled, second.cancelled].find((program = "") => program !== "") ?? "";
  return { ...second, robots: [...robots.values()], cancelled };
}

/** What a stop has done, the worst first. */
export function stopLines({ robots, cancelled = "" }: Stopped): readonly StopLine[] {
  const order: readonly StopLevel[] = ["alert", "warn", "calm"];
  const lines = robots.map(robotLine).sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  if (cancelled !== "")
    lines.push({ level: "calm", words: t("shell.stop.cancelled", { program: cancelled }) });
  return lines;
}

function robotLine({ robot, reached, rest_ms, distance_mm, reason: english, said }: RobotStop): StopLine {
  const reason = wordsOf(said ?? english);
  if (!reached) return { level: "alert", words: withReason(t("shell.stop.notReached", { robot }), reason) };
  if (rest_ms === null)
    return { level: "warn", words: withReason(t("shell.stop.notSeen", { robot }), reason) };
  const ms = Math.round(rest_ms);
  const words =
    distance_mm === null
      ? t("shell.stop.rest", { robot, ms })
      : t("shell.stop.restAfter", { robot, ms, mm: Math.round(distance_mm) });
  return { level: "calm", words };
}

const withReason = (words: string, reason: string): string =>
  reason === "" ? words : `${words} (${reason})`;
