/** A websocket that comes back by itself: after a loss it tries again, at first at once, then ever more rarely. */

export type LinkStatus = "connecting" | "open" | "waiting";

/** The part of the browser's WebSocket that is used; tests bring their own. */
export interface RawSocket {
  binaryType?: BinaryType;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onclose: ((event: never) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface SocketEvents {
  /** The link is there (again); what was under way before is lost. */
  readonly opened: () => void;
  readonly received: (text: string) => void;
  /** A binary message. */
  readonly streamed?: (data: ArrayBuffer) => void;
  readonly statusChanged: (status: LinkStatus) => void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
/** A try that neither opens nor fails within this time is given up. */
const OPENING_MS = 5000;

/** Return how long to wait before the `attempt`-th try in a row (counted from 0), in milliseconds. */
export function backOff(attempt: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
}

export class ReconnectingSocket {
  #raw: RawSocket | null = null;
  #status: LinkStatus = "connecting";
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly makeSocket: () => RawSocket,
    private readonly events: SocketEvents,
  ) {}

  get status(): LinkStatus {
    return this.#status;
  }

  /** Open the link, or try at once where it waits for its next try. */
  connect(): void {
    if (this.#closed || this.#raw !== null) return;
    clearTimeout(this.#timer);
    this.#setStatus("connecting");
    const raw = this.makeSocket();
    raw.binaryType = "arraybuffer";
    this.#raw = raw;
    this.#timer = setTimeout(() => this.#lost(raw), OPENING_MS);
    raw.onopen = () => {
      if (this.#raw !== raw) return;
      clearTimeout(this.#timer);
      this.#attempt = 0;
      this.#setStatus("open");
      this.events.opened();
    };
    raw.onmessage = (event) => {
      if (this.#raw !== raw) return;
      if (typeof event.data === "string") this.events.received(event.data);
      else if (event.data instanceof ArrayBuffer) this.events.streamed?.(event.data);
    };
    raw.onclose = () => this.#lost(raw);
  }

  /** Send, where the link is open; return whether it was. */
  send(text: string): boolean {
    if (this.#status !== "open" || this.#raw === null) return false;
    this.#raw.send(text);
    return true;
  }

  /** End the link for good. */
  dispose(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    const raw = this.#raw;
    this.#raw = null;
    raw?.close();
  }

  #lost(raw: RawSocket): void {
    if (this.#closed || this.#raw !== raw) return;
    this.#raw = null;
    clearTimeout(this.#timer);
    raw.close();
    this.#timer = setTimeout(() => this.connect(), backOff(this.#attempt++));
    this.#setStatus("waiting");
  }

  #setStatus(status: LinkStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.events.statusChanged(status);
  }
}
