/** The live line to the server: questions out, answers in, over one websocket that comes back by itself. */

import type { Answer, AskForward, AskInverse, Failed, ForwardAnswer, InverseAnswer } from "./generated";
import { NewestOnly } from "./newest-only";
import { type LinkStatus, type RawSocket, ReconnectingSocket } from "./reconnecting-socket";

export type ForwardQuestion = Omit<AskForward, "id">;
export type InverseQuestion = Omit<AskInverse, "id">;
type LiveQuestion = ForwardQuestion | InverseQuestion;

export interface LiveEvents {
  readonly statusChanged: (status: LinkStatus) => void;
  /** The server could not answer; `message` is for the person. */
  readonly failed: (message: string) => void;
}

export class Live {
  readonly #socket: ReconnectingSocket;
  readonly #asking: NewestOnly<LiveQuestion, Answer>;

  constructor(
    makeSocket: () => RawSocket,
    private readonly events: LiveEvents,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#asking = new NewestOnly(
      (id, question) => this.#socket.send(JSON.stringify({ ...question, id })),
      nowMs,
    );
    this.#socket = new ReconnectingSocket(makeSocket, {
      opened: () => this.#asking.restart(),
      received: (text) => this.#take(JSON.parse(text) as Answer),
      statusChanged: events.statusChanged,
    });
  }

  /** Connect, or try again at once. */
  connect(): void {
    this.#socket.connect();
  }

  /** Ask where a frame is. */
  forward(
    question: () => ForwardQuestion,
    answered: (answer: ForwardAnswer, roundTripMs: number) => void,
  ): void {
    this.#asking.ask("forward", {
      question,
      answered: (answer, ms) => {
        if (answer.type === "forward") answered(answer, ms);
        else this.#refused(answer);
      },
    });
  }

  /** Ask which joints bring a frame to a pose. */
  inverse(
    question: () => InverseQuestion,
    answered: (answer: InverseAnswer, roundTripMs: number) => void,
  ): void {
    this.#asking.ask("inverse", {
      question,
      answered: (answer, ms) => {
        if (answer.type === "inverse") answered(answer, ms);
        else this.#refused(answer);
      },
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
    this.#socket.dispose();
  }

  #take(answer: Answer): void {
    if (answer.id === null) this.#refused(answer);
    else this.#asking.answer(answer.id, answer);
  }

  #refused(answer: Failed | ForwardAnswer | InverseAnswer): void {
    if (answer.type === "failed") this.events.failed(answer.message);
  }
}
