/** StopEverywhere: STOP for all projects in which robots run, for the list of projects. */

import type { ProjectInfo } from "../../wire/generated";
import type { RawSocket } from "../../wire/reconnecting-socket";
import { StopSocket } from "../../wire/stop-socket";
import { StopNews } from "./stop-news";

export class StopEverywhere {
  readonly news = new StopNews();
  readonly #sockets = new Map<string, StopSocket>();

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
    const sent = [...this.#sockets.values()].map((socket) => socket.stop(press));
    if (sent.length > 0) this.news.sent(sent.every(Boolean));
    return sent.length > 0;
  }

  dispose(): void {
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
