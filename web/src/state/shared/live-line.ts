/** LiveLine: the page's line to the server's kinematics, and how it is. */

import { Live } from "../../wire/live";
import type { LinkStatus, RawSocket } from "../../wire/reconnecting-socket";
import { wordsOf } from "./said";
import { Store } from "./store";

export class LiveLine {
  readonly link = new Store<LinkStatus>("connecting");
  /** True while the server lets a question wait. */
  readonly slow = new Store(false);
  /** Something a person did could not be done; one sentence. */
  readonly complaint = new Store<string | null>(null);
  readonly live: Live;
  #started = false;

  constructor(makeSocket: () => RawSocket) {
    this.live = new Live(makeSocket, {
      statusChanged: (status) => this.link.set(status),
      failed: (message) => this.complaint.set(wordsOf(message)),
      slowChanged: (slow) => this.slow.set(slow),
    });
  }

  /** Connect; from then on the line comes back by itself. */
  start(): void {
    this.#started = true;
    this.live.connect();
  }

  /** Try at once, where it waits for its next try. */
  again(): void {
    if (this.#started) this.live.connect();
  }
}
