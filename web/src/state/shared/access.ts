/** Access: who the server takes this page for, and who else is paired. On the server's own machine nobody signs in. */

import type { Me, NewPairing, NewSession, Pairing, SessionInfo, SignedIn } from "../../wire/generated";
import { Store } from "./store";

/** Each may also do what those before it may. */
export type Role = Pairing["role"];

const ROLES: readonly Role[] = ["viewer", "operator", "engineer"];

/** Whether somebody in a role may do what needs another. The server holds to it; this is to say so beforehand. */
export function isAllowed(role: Role, need: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(need);
}

/** The calls to the server that are used; fakes in tests. */
export interface AccessCalls {
  readonly fetchMe: () => Promise<Me>;
  readonly signIn: (asked: NewSession) => Promise<SignedIn>;
  readonly signOut: () => Promise<Me>;
  readonly offerPairing: (asked: NewPairing) => Promise<Pairing>;
  readonly fetchSessions: () => Promise<readonly SessionInfo[]>;
  readonly revokeSession: (id: string) => Promise<Me>;
}

const LOCAL: Me = { name: "", role: "engineer", local: true, lan: false };
const PAIR = /^#\/pair\/([\w-]+)$/;

export class Access {
  /** Null until it is known. */
  readonly me: Store<Me | null>;
  readonly sessions = new Store<readonly SessionInfo[]>([]);

  /** `secure`: whether the page came over HTTPS, as it does from the network alone. */
  constructor(
    private readonly calls: AccessCalls,
    secure: boolean,
  ) {
    this.me = new Store<Me | null>(secure ? null : LOCAL);
  }

  /** Ask who we are; without an answer nothing changes: the page tells by other ways that the server is gone. */
  async load(): Promise<void> {
    try {
      const found = await this.calls.fetchMe();
      const { value } = this.me;
      const same =
        value !== null &&
        value.role === found.role &&
        value.name === found.name &&
        value.lan === found.lan &&
        value.local === found.local;
      if (!same) this.me.set(found);
    } catch {
      if (this.me.value === null) this.me.set({ ...LOCAL, role: null, local: false, lan: true });
    }
  }

  /** Pair with the six digits, or with the secret of a link. Raises RequestError. */
  async pair(code: string, name: string): Promise<void> {
    await this.calls.signIn({ code, name });
    await this.load();
  }

  async leave(): Promise<void> {
    this.me.set(await this.calls.signOut());
  }

  /** A code for somebody else. Raises RequestError. */
  offer(role: Role, name: string): Promise<Pairing> {
    return this.calls.offerPairing({ role, name });
  }

  /** Look who is paired. Raises RequestError. */
  async look(): Promise<void> {
    this.sessions.set(await this.calls.fetchSessions());
  }

  async revoke(id: string): Promise<void> {
    await this.calls.revokeSession(id);
    await this.look();
  }
}

/** The secret in the address of a link that pairs; null: it is another address. */
export function secretIn(hash: string): string | null {
  return PAIR.exec(hash)?.[1] ?? null;
}

/** The six digits of what a person has typed. */
export function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "").slice(0, 6);
}

const MACHINES: readonly (readonly [RegExp, string])[] = [
  [/Quest|OculusBrowser/, "Quest"],
  [/iPad/, "iPad"],
  [/iPhone/, "iPhone"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS/, "Mac"],
  [/CrOS/, "Chromebook"],
  [/Linux/, "Linux"],
];
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/OculusBrowser/, "Browser"],
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];

/** What to call a device whose person has not said a name, as "Android, Chrome". */
export function deviceName(userAgent: string): string {
  const find = (list: typeof MACHINES): string | undefined =>
    list.find(([sign]) => sign.test(userAgent))?.[1];
  return [find(MACHINES), find(BROWSERS)].filter((word) => word !== undefined).join(", ");
}
