/** StopSocket: the line to the stop service, kept open so that a STOP goes out at once, whatever the server is busy with. */

import { type RawSocket, ReconnectingSocket } from "./reconnecting-socket";
import type { Greeting } from "./generated";
import type { Stop, Stopped } from "./studio";

export class StopSocket {
  readonly #socket: ReconnectingSocket;
  #number = 0;

  constructor(
    readonly url: string,
    makeSocket: (url: string) => RawSocket,
    told: (stopped: Stopped) => void,
  ) {
    this.#socket = new ReconnectingSocket(() => makeSocket(url), {
      opened: () => undefined,
      // A stop is heard whatever protocol the service speaks: its greeting is of no interest here.
      received: (text) => {
        const message = JSON.parse(text) as Greeting | Stopped;
        if (message.type === "stopped") told(message);
      },
      statusChanged: () => undefined,
    });
    this.#socket.connect();
  }

  /** Stop every robot of the project (`press` as in `Stop`); return whether there was a line to say so. */
  stop(press: string): boolean {
    const message: Stop = { type: "stop", id: ++this.#number, press };
    return this.#socket.send(JSON.stringify(message));
  }

  dispose(): void {
    this.#socket.dispose();
  }
}
