/** The live line to the server: questions out, answers in, over one websocket that comes back by itself. */

import type {
  KinematicsReply,
  ForwardRequest,
  InverseRequest,
  Failed,
  ForwardReply,
  Greeting,
  InverseReply,
  SaidMessage,
} from "./generated";
import { NewestOnly } from "./newest-only";
import { type LinkStatus, type RawSocket, ReconnectingSocket } from "./reconnecting-socket";
import { PROTOCOL } from "./studio";

export type ForwardQuestion = Omit<ForwardRequest, "id">;
export type InverseQuestion = Omit<InverseRequest, "id">;
type KinematicsQuestion = ForwardQuestion | InverseQuestion;

export interface LiveEvents {
  readonly statusChanged: (status: LinkStatus) => void;
  /** The server could not answer; `message` is for the person. */
  readonly failed: (message: string | SaidMessage) => void;
  /** The server has not answered for a while; or it does again. */
  readonly slowChanged: (slow: boolean) => void;
}

/** A person who waits longer than this should know for what. */
const SLOW_MS = 1500;

export class Live {
  readonly #socket: ReconnectingSocket;
  readonly #asking: NewestOnly<KinematicsQuestion, KinematicsReply>;
  #left = false;
  #slowTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    makeSocket: () => RawSocket,
    private readonly events: LiveEvents,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#asking = new NewestOnly((id, question) => {
      const sent = this.#socket.send(JSON.stringify({ ...question, id }));
      if (sent) this.#watch();
      return sent;
    }, nowMs);
    this.#socket = new ReconnectingSocket(makeSocket, {
      opened: () => this.#asking.restart(),
      received: (text) => this.#take(JSON.parse(text) as KinematicsReply | Greeting),
      statusChanged: (status) => {
        // A wish for a motion is for now: it must not come true when the server is back, some time later.
        if (status !== "open") for (const lane of ["inverse", "go"]) this.#asking.cancel(lane);
        this.#notSlow();
        events.statusChanged(status);
      },
    });
  }

  /** Connect, or try again at once. */
  connect(): void {
    this.#socket.connect();
  }

  /** Ask where a frame is. In one lane the newest question takes the place of those that wait. */
  forward(
    question: () => ForwardQuestion,
    answered: (answer: ForwardReply, roundTripMs: number) => void,
    lane = "forward",
  ): void {
    this.#asking.ask(lane, {
      question,
      answered: (answer, ms) => {
        if (answer.type === "forward") answered(answer, ms);
        else this.#refused(answer);
      },
    });
  }

  /** Ask which joints bring a frame to a pose. `dropped` instead of an answer where there will be none. */
  inverse(
    question: () => InverseQuestion,
    answered: (answer: InverseReply, roundTripMs: number) => void,
    dropped: () => void,
    lane = "inverse",
  ): void {
    if (this.#left || this.#socket.status !== "open") {
      dropped();
      return;
    }
    this.#asking.ask(lane, {
      question,
      answered: (answer, ms) => {
        if (answer.type === "inverse") {
          answered(answer, ms);
        } else {
          this.#refused(answer);
          dropped();
        }
      },
      dropped,
    });
  }

  /** Drop questions about what is no longer shown. */
  forget(): void {
    this.#asking.cancel("forward");
    this.#asking.cancel("inverse");
  }

  /** True where every question has its answer. */
  get idle(): boolean {
    return this.#asking.idle;
  }

  dispose(): void {
    clearTimeout(this.#slowTimer);
    this.#socket.dispose();
  }

  #watch(): void {
    this.#slowTimer ??= setTimeout(() => this.events.slowChanged(true), SLOW_MS);
  }

  #notSlow(): void {
    clearTimeout(this.#slowTimer);
    this.#slowTimer = undefined;
    this.events.slowChanged(false);
  }

  #take(answer: KinematicsReply | Greeting): void {
    if (answer.type === "greeting") {
      if (answer.protocol !== PROTOCOL) this.#leave(answer.protocol);
      return;
    }
    this.#notSlow();
    if (answer.id === null) this.#refused(answer);
    else this.#asking.answer(answer.id, answer);
    if (!this.#asking.idle) this.#watch();
  }

  /** The server was renewed while this page was open. */
  #leave(server: number): void {
    this.#left = true;
    this.events.failed({ code: "server.other_protocol", text: "", values: { page: PROTOCOL, server } });
    this.forget();
    this.#asking.cancel("go");
    this.dispose();
  }

  #refused(answer: Failed | ForwardReply | InverseReply): void {
    if (answer.type === "failed") this.events.failed(answer.said ?? answer.message);
  }
}
