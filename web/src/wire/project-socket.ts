/**
 * The line to one open project: edits and questions out, patches and answers in, over a websocket that comes back by
 * itself. After a loss the whole is sent again; what was asked meanwhile is refused, never done twice.
 */

import { type LinkStatus, type RawSocket, ReconnectingSocket } from "./reconnecting-socket";
import type { SaidMessage } from "./generated";
import { PROTOCOL } from "./studio";
import type {
  Done,
  FromClient,
  FromServer,
  NearestNow,
  ProbeReply,
  ProjectEdit,
  Simulated,
  Stop,
} from "./studio";

/** Why something was not done: the server said so, the link was lost meanwhile, or there was none. */
export type Refused = "server" | "lost" | "offline";

/** Something a person asked for was not done. What the server says is for the person. */
export class RefusedError extends Error {
  constructor(
    message: string,
    readonly why: Refused = "server",
    /** The message by its code; null: it has none. */
    readonly said: SaidMessage | null = null,
  ) {
    super(message);
    this.name = "RefusedError";
  }
}

export interface ProjectEvents {
  readonly statusChanged: (status: LinkStatus) => void;
  /** Everything that is no answer to a question of ours. */
  readonly told: (message: FromServer) => void;
  /** Live values of the robots. */
  readonly streamed?: (data: ArrayBuffer) => void;
}

type ProjectReply = Done | Simulated | NearestNow | ProbeReply;

interface Waiting {
  readonly done: (answer: ProjectReply) => void;
  readonly refused: (error: RefusedError) => void;
}

type Numbered = Extract<FromClient, { readonly id: number }> | Stop;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type ProjectRequest = WithoutId<Numbered>;

/** What a page tells that was made for another server; it was left open while the server was renewed. */
function otherProtocol(server: number): FromServer {
  const said = { code: "server.other_protocol", text: "", values: { page: PROTOCOL, server } };
  return { type: "refused", id: null, message: "", said };
}

export class ProjectSocket {
  readonly #socket: ReconnectingSocket;
  readonly #waiting = new Map<number, Waiting>();
  #number = 0;

  constructor(
    makeSocket: () => RawSocket,
    private readonly hello: () => { readonly client: string; readonly name: string },
    private readonly events: ProjectEvents,
  ) {
    this.#socket = new ReconnectingSocket(makeSocket, {
      opened: () => this.send({ type: "hello", ...this.hello(), protocol: PROTOCOL }),
      received: (text) => this.#take(JSON.parse(text) as FromServer),
      streamed: (data) => events.streamed?.(data),
      statusChanged: (status) => {
        if (status !== "open") this.#loseAll();
        events.statusChanged(status);
      },
    });
  }

  get status(): LinkStatus {
    return this.#socket.status;
  }

  connect(): void {
    this.#socket.connect();
  }

  /** Say something that needs no answer; return whether there was a link to say it over. */
  send(message: FromClient): boolean {
    return this.#socket.send(JSON.stringify(message));
  }

  /** Make an edit. */
  edit(edit: ProjectEdit): Promise<Done> {
    return this.ask({ type: "edit", edit }) as Promise<Done>;
  }

  /** Ask for something; the promise is refused with a sentence for the person where it is not done. */
  ask(request: ProjectRequest): Promise<ProjectReply> {
    return new Promise((done, refused) => {
      const id = ++this.#number;
      this.#waiting.set(id, { done, refused });
      if (!this.send({ ...request, id })) {
        this.#waiting.delete(id);
        refused(new RefusedError("", "offline"));
      }
    });
  }

  dispose(): void {
    this.#loseAll();
    this.#socket.dispose();
  }

  #take(message: FromServer): void {
    if (message.type === "whole" && message.protocol !== PROTOCOL) {
      this.events.told(otherProtocol(message.protocol));
      this.dispose();
      return;
    }
    if (
      (message.type === "done" ||
        message.type === "recorded" ||
        message.type === "nearest" ||
        message.type === "probed" ||
        message.type === "refused") &&
      message.id !== null
    ) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.type === "refused")
        waiting?.refused(new RefusedError(message.message, "server", message.said ?? null));
      else waiting?.done(message);
      return;
    }
    this.events.told(message);
  }

  #loseAll(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { refused } of all) refused(new RefusedError("", "lost"));
  }
}
