import { describe, expect, it, vi } from "vitest";
import type { Me } from "../../wire/generated";
import { Access, type AccessCalls, deviceName, digitsOf, isAllowed, secretIn } from "./access";

const OPERATOR: Me = { name: "Ann", role: "operator", local: false, lan: true };
const STRANGER: Me = { name: "", role: null, local: false, lan: true };

function calls(more: Partial<AccessCalls> = {}): AccessCalls {
  return {
    fetchMe: vi.fn(() => Promise.resolve(STRANGER)),
    signIn: vi.fn(() => Promise.resolve({ name: "Ann", role: "operator" as const })),
    signOut: vi.fn(() => Promise.resolve(STRANGER)),
    offerPairing: vi.fn(() => Promise.reject(new Error("not asked for"))),
    fetchSessions: vi.fn(() => Promise.resolve([])),
    revokeSession: vi.fn(() => Promise.resolve(STRANGER)),
    ...more,
  };
}

describe("Access", () => {
  it("lets everybody on the server's own machine in at once", () => {
    expect(new Access(calls(), false).me.value?.role).toBe("engineer");
  });

  it("waits over the network until it knows", async () => {
    const access = new Access(calls(), true);
    expect(access.me.value).toBeNull();
    await access.load();
    expect(access.me.value).toEqual(STRANGER);
  });

  it("is a stranger where nobody answers, and stays who it was later", async () => {
    const fetchMe = vi.fn(() => Promise.reject(new Error("gone")));
    const access = new Access(calls({ fetchMe }), true);
    await access.load();
    expect(access.me.value?.role).toBeNull();
    access.me.set(OPERATOR);
    await access.load();
    expect(access.me.value).toEqual(OPERATOR);
  });

  it("is somebody once it has paired, and nobody after it has left", async () => {
    const list = calls({ fetchMe: () => Promise.resolve(OPERATOR) });
    const access = new Access(list, true);
    await access.pair("123456", "Ann");
    expect(list.signIn).toHaveBeenCalledWith({ code: "123456", name: "Ann" });
    expect(access.me.value).toEqual(OPERATOR);
    await access.leave();
    expect(access.me.value?.role).toBeNull();
  });

  it("tells a change of role, and nothing where nothing changed", async () => {
    let me = OPERATOR;
    const access = new Access(calls({ fetchMe: () => Promise.resolve({ ...me }) }), true);
    const seen: (string | null | undefined)[] = [];
    access.me.subscribe((value) => seen.push(value?.role));
    await access.load();
    await access.load();
    me = STRANGER;
    await access.load();
    expect(seen).toEqual([undefined, "operator", null]);
  });
});

it("knows that each role may do what those before it may", () => {
  const roles = ["viewer", "operator", "engineer"] as const;
  for (const [i, role] of roles.entries())
    expect(roles.filter((need) => isAllowed(role, need))).toEqual(roles.slice(0, i + 1));
});

describe("what is typed and opened", () => {
  it("finds the secret of a link", () => {
    expect(secretIn("#/pair/aB-9_x")).toBe("aB-9_x");
    for (const other of ["", "#/", "#/pair/", "#/pair/a/b", "#/projects/pair"])
      expect(secretIn(other)).toBeNull();
  });

  it("takes six digits, however they are written", () => {
    expect(digitsOf(" 123 456 ")).toBe("123456");
    expect(digitsOf("12-34-56-78")).toBe("123456");
  });

  it.each([
    [
      "Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit OculusBrowser/33 Chrome/126 Safari/537",
      "Quest, Browser",
    ],
    ["Mozilla/5.0 (Linux; Android 14) AppleWebKit Chrome/126 Mobile Safari/537", "Android, Chrome"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit Version/17.5 Safari/605", "Mac, Safari"],
    ["something new", ""],
  ])("calls a device %s by what it is", (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});
