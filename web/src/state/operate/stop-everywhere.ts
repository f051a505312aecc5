/** StopEverywhere: STOP for all projects in which robots run, for the list of projects. */

import type { ProjectInfo } from "../../wire/generated";
import type { RawSocket } from "../../wire/reconnecting-socket";
import { StopSocket } from "../../wire/stop-socket";
import { ANSWER_MS, StopNews } from "./stop-news";

/** A line that is just being opened is tried again so often. */
const AGAIN_MS = 50;

export class StopEverywhere {
  readonly news = new StopNews();
  readonly #sockets = new Map<string, StopSocket>();
  #trying: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly me: () => { readonly client: string; readonly name: string },
    private readonly makeSocket: (url: string) => RawSocket,
  ) {}

  /** Keep a line to the stop service for each project whose robots run. */
  follow(projects: readonly ProjectInfo[]): void {
    const wanted = new Map<string, ProjectInfo>();
    for (const one of projects) {
      const { running = [], stop_url = "" } = one;
      if (running.length > 0 && stop_url !== "") wanted.set(stop_url, one);
    }
    for (const [url, socket] of this.#sockets) {
      if (wanted.has(url)) continue;
      socket.dispose();
      this.#sockets.delete(url);
    }
    for (const [url, { title }] of wanted) {
      if (this.#sockets.has(url)) continue;
      const socket = new StopSocket(this.#signed(url), this.makeSocket, (stopped) =>
        // Robots of several projects may have the same name.
        this.news.take({
          ...stopped,
          robots: stopped.robots.map((one) => ({ ...one, robot: `${title}: ${one.robot}` })),
        }),
      );
      this.#sockets.set(url, socket);
    }
  }

  /** Stop every robot that runs; return whether there is any. */
  stop(press: string): boolean {
    clearInterval(this.#trying);
    let waiting = [...this.#sockets.values()];
    const any = waiting.length > 0;
    if (any) this.news.sent(true);
    let tries = ANSWER_MS / AGAIN_MS;
    const send = (): void => {
      waiting = waiting.filter((socket) => !socket.stop(press));
      if (waiting.length === 0 || tries-- <= 0) clearInterval(this.#trying);
    };
    send();
    // Whose line never opens gets no answer: that alarms.
    if (waiting.length > 0) this.#trying = setInterval(send, AGAIN_MS);
    return any;
  }

  dispose(): void {
    clearInterval(this.#trying);
    this.news.clear();
    for (const socket of this.#sockets.values()) socket.dispose();
    this.#sockets.clear();
  }

  #signed(url: string): string {
    const signed = new URL(url);
    for (const [key, value] of Object.entries(this.me())) signed.searchParams.set(key, value);
    return signed.href;
  }
}
