import { describe, expect, it, vi } from "vitest";
import type { RawSocket } from "../../wire/reconnecting-socket";
import { type FromClient, type FromServer, type Program, PROTOCOL, type Whole } from "../../wire/studio";
import { Project } from "./project";

class FakeSocket implements RawSocket {
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: MessageEvent<unknown>) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  readonly sent: FromClient[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromClient);
  }

  close(): void {
    this.onclose?.(undefined as never);
  }

  open(): void {
    this.onopen?.(undefined as never);
  }

  say(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<unknown>);
  }
}

const PICK: Program = { name: "pick", robot: "ur" };
const WHOLE: Whole = {
  type: "whole",
  protocol: PROTOCOL,
  seq: 4,
  project: "p",
  you: "me",
  cell: { name: "cell", points: [{ name: "a", pose: { xyz: [0, 0, 0], wxyz: [1, 0, 0, 0] } }] },
  programs: { pick: PICK },
  people: [],
  history: { type: "history", undo: [], redo: [] },
  saved: { type: "saved", state: "saved", seq: 4 },
};

function opened(): { project: Project; socket: FakeSocket; sockets: FakeSocket[] } {
  const sockets: FakeSocket[] = [];
  const project = new Project(
    "p",
    () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    { client: "me", name: "Ann" },
  );
  project.start();
  const socket = sockets[0];
  if (socket === undefined) throw new Error("no socket was made");
  socket.open();
  socket.say(WHOLE);
  return { project, socket, sockets };
}

describe("Project", () => {
  it("says in words that it was made for another server, and takes nothing of it", () => {
    const { project, socket } = opened();
    socket.say({ ...WHOLE, protocol: PROTOCOL + 1, seq: 9 });
    expect(project.complaint.value).toContain(`uses protocol ${PROTOCOL}, this server ${PROTOCOL + 1}`);
    expect(project.seq).toBe(4);
  });

  it("says hello, takes the whole and watches the first program", () => {
    const { project, socket } = opened();
    expect(socket.sent[0]).toEqual({ type: "hello", client: "me", name: "Ann", protocol: PROTOCOL });
    expect(project.ready.value).toBe(true);
    expect(project.openProgram.value).toBe("pick");
    expect(socket.sent).toContainEqual({ type: "watch", programs: ["pick"] });
  });

  it("follows patches in their order", () => {
    const { project, socket } = opened();
    socket.say({
      type: "patch",
      patch: {
        seq: 5,
        author: "bob",
        title: "add b",
        sections: [{ section: "points", items: [{ name: "b" }], order: ["b", "a"] }],
        own: { title: "Two points" },
        programs: [{ name: "pick", program: null }],
      },
    });
    expect(project.cell.value.points?.map((point) => point.name)).toEqual(["b", "a"]);
    expect(project.cell.value.title).toBe("Two points");
    expect(project.programs.value).toEqual({});
    expect(project.openProgram.value).toBe(null);
  });

  it("never has a program open that is gone", () => {
    const { project, socket } = opened();
    const seen: (string | null)[] = [];
    const look = (): void => {
      const open = project.openProgram.value;
      expect(open === null || open in project.programs.value).toBe(true);
      seen.push(open);
    };
    project.programs.subscribe(look);
    project.openProgram.subscribe(look);
    const patch = { author: "bob", title: "" };
    const other: Program = { name: "other", robot: "ur" };
    socket.say({ type: "patch", patch: { ...patch, seq: 5, programs: [{ name: "other", program: other }] } });
    socket.say({ type: "patch", patch: { ...patch, seq: 6, programs: [{ name: "pick", program: null }] } });
    expect(seen.at(-1)).toBe("other");
    const programs = [
      { name: "third", program: { ...other, name: "third" } },
      { name: "other", program: null },
    ];
    socket.say({ type: "patch", patch: { ...patch, seq: 7, programs } });
    expect(seen.at(-1)).toBe("third");
    project.dispose();
  });

  it("asks once for the whole where a patch is missing", () => {
    const { project, socket } = opened();
    const patch = { author: "bob", title: "" };
    socket.say({ type: "patch", patch: { seq: 7, ...patch } });
    socket.say({ type: "patch", patch: { seq: 8, ...patch } });
    expect(socket.sent.filter((message) => message.type === "resync")).toHaveLength(1);
    socket.say({ ...WHOLE, seq: 8 });
    socket.say({ type: "patch", patch: { seq: 8, ...patch } });
    expect(project.seq).toBe(8);
  });

  it("tells a person why an edit was refused", async () => {
    const { project, socket } = opened();
    const edit = project.edit({ edit: "remove program", name: "pick" });
    const asked = socket.sent.at(-1);
    expect(asked).toMatchObject({ type: "edit", id: 1 });
    socket.say({ type: "refused", id: 1, message: "still called by 'main'" });
    expect(await edit).toBe(false);
    expect(project.complaint.value).toBe("still called by 'main'");
    const second = project.undo();
    socket.say({ type: "done", id: 2, seq: 5 });
    expect(await second).toBe(true);
    expect(project.complaint.value).toBe(null);
  });

  it("refuses what was under way when the link breaks, and comes back by itself", async () => {
    vi.useFakeTimers();
    const { project, socket, sockets } = opened();
    const edit = project.edit({ edit: "remove program", name: "pick" });
    socket.close();
    expect(await edit).toBe(false);
    expect(project.link.value).toBe("waiting");
    expect(await project.undo()).toBe(false);
    vi.advanceTimersByTime(300);
    sockets[1]?.open();
    sockets[1]?.say({ ...WHOLE, seq: 9 });
    expect(project.seq).toBe(9);
    expect(project.link.value).toBe("open");
    vi.useRealTimers();
  });

  it("says once which edits an undo has skipped and who stood in the way, and counts them", async () => {
    const { project, socket } = opened();
    const patch = { seq: 5, author: "me", title: "undo move a" };
    const why = "cannot undo move b: 'b' has since been removed or renamed by Bob (remove b)";
    const back = project.goBack(2);
    socket.say({ type: "patch", patch: { ...patch, skipped: [why] } });
    expect(project.skipped.value).toContain("removed or renamed by Bob");
    socket.say({ type: "done", id: 1, seq: 5 });
    await back;
    expect(socket.sent.filter(({ type }) => type === "undo")).toHaveLength(1);
    socket.say({ type: "patch", patch: { ...patch, seq: 6, author: "bob" } });
    expect(project.skipped.value).not.toBe("");
    socket.say({ type: "patch", patch: { ...patch, seq: 7 } });
    expect(project.skipped.value).toBe("");
  });

  it("says that there is no link only while there is none", async () => {
    vi.useFakeTimers();
    const { project, socket, sockets } = opened();
    socket.close();
    expect(await project.undo()).toBe(false);
    expect(project.complaint.value).not.toBeNull();
    vi.advanceTimersByTime(300);
    sockets[1]?.open();
    sockets[1]?.say(WHOLE);
    expect(project.complaint.value).toBeNull();
    project.dispose();
    vi.useRealTimers();
  });

  it("keeps the last report while a new check runs", () => {
    const { project, socket } = opened();
    const checked = {
      type: "checked",
      program: "pick",
      seq: 4,
      report: null,
      summary: "clear",
      took_ms: 1,
    } as const;
    socket.say(checked);
    socket.say({ type: "checking", program: "pick", seq: 5 });
    expect(project.checks.value["pick"]).toEqual({ state: "checking", before: checked });
  });

  it("knows when it was saved, since this page is here", () => {
    const { project, socket } = opened();
    expect(project.savedAtMs.value).toBeNull();
    socket.say({ type: "saved", state: "unsaved", seq: 4 });
    socket.say({ type: "saved", state: "saved", seq: 5 });
    expect(project.savedAtMs.value).not.toBeNull();
    project.dispose();
  });

  it("introduces itself under another name over the same link, and greets with it from then on", () => {
    vi.useFakeTimers();
    const { project, socket, sockets } = opened();
    const before = socket.sent.length;
    project.introduce("Ann");
    expect(socket.sent).toHaveLength(before);
    project.introduce("Ann Lee");
    expect(socket.sent.at(-1)).toEqual({ type: "introduce", name: "Ann Lee" });
    expect(sockets).toHaveLength(1);
    socket.close();
    vi.advanceTimersByTime(1000);
    sockets[1]?.open();
    expect(sockets[1]?.sent[0]).toMatchObject({ type: "hello", client: "me", name: "Ann Lee" });
    project.dispose();
    vi.useRealTimers();
  });

  it("asks for the files as they are, and says what is refused", async () => {
    const { project, socket } = opened();
    const asked = project.reload();
    const question = socket.sent.at(-1);
    expect(question).toMatchObject({ type: "reload" });
    socket.say({ type: "refused", id: (question as { id: number }).id, message: "cell.json is no cell" });
    expect(await asked).toBe(false);
    expect(project.complaint.value).toBe("cell.json is no cell");
    project.dispose();
  });

  it("tells every robot to stop, and says so where that reaches nobody", () => {
    const { project, socket } = opened();
    project.stopAll();
    expect(socket.sent.at(-1)).toMatchObject({ type: "stop" });
    socket.say({
      type: "stopped",
      id: 1,
      by: "me",
      robots: [{ type: "robot stop", robot: "ur", reached: true, rest_ms: 160, distance_mm: 84, reason: "" }],
    });
    expect(project.stops.lines.value).toMatchObject([{ words: "ur at rest after 160 ms, 84 mm." }]);
    socket.close();
    project.stopAll();
    expect(project.stops.lines.value).toMatchObject([{ level: "alert" }]);
    project.dispose();
  });

  it("stops over the line of the stop service, too, also where the server is gone", () => {
    const stops: FakeSocket[] = [];
    const project = new Project(
      "p",
      () => new FakeSocket(),
      { client: "me", name: "Ann" },
      () => 0,
      () => {
        const socket = new FakeSocket();
        stops.push(socket);
        return socket;
      },
    );
    const told = project.socket as unknown as { events: { told: (message: FromServer) => void } };
    told.events.told({ ...WHOLE, stop_url: "ws://127.0.0.1:9/stop" });
    stops[0]?.open();
    project.stopAll();
    expect(stops[0]?.sent).toMatchObject([{ type: "stop", id: 1 }]);
    expect(project.stops.lines.value).toEqual([]);
    stops[0]?.say({ type: "stopped", id: 1, by: "", robots: [] });
    project.dispose();
  });

  it("gives each press of STOP its own id, the same over both connections", () => {
    const sockets: FakeSocket[] = [];
    const make = (): FakeSocket => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    };
    const project = new Project("p", make, { client: "me", name: "Ann" }, () => 0, make);
    project.start();
    sockets[0]?.open();
    sockets[0]?.say({ ...WHOLE, stop_url: "ws://127.0.0.1:9/stop" });
    sockets[1]?.open();
    project.stopAll();
    project.stopAll();
    const presses = sockets.map(({ sent }) =>
      (sent as { type: string; press?: string }[])
        .filter(({ type }) => type === "stop")
        .map(({ press }) => press),
    );
    expect(presses[0]).toEqual(presses[1]);
    expect(presses[0]?.every((press) => press !== undefined && press !== "")).toBe(true);
    expect(new Set(presses[0]).size).toBe(2);
    project.dispose();
  });

  it("answers a ping at once, and knows how late its intents arrive", () => {
    const { project, socket } = opened();
    socket.say({ type: "ping", number: 7, delay_ms: 12.4, offset_known: true });
    expect(socket.sent.at(-1)).toMatchObject({ type: "pong", number: 7 });
    expect(project.operation.delay.value).toEqual({ ms: 12.4, known: true });
    project.dispose();
  });
});
