import { describe, expect, it } from "vitest";
import type { RawSocket } from "../../wire/reconnecting-socket";
import { type FromClient, type FromServer, PROTOCOL, type Whole } from "../../wire/studio";
import { Project } from "../shared/project";
import { setLanguage } from "../texts";
import { StepEditor } from "./steps-editor";

const WHOLE: Whole = {
  type: "whole",
  protocol: PROTOCOL,
  seq: 4,
  project: "p",
  you: "me",
  cell: { name: "cell" },
  programs: { pick: { name: "pick", robot: "ur", steps: [{ do: "wait", id: "w", seconds: 1 }] } },
  people: [],
  history: { type: "history", undo: [], redo: [] },
  saved: { type: "saved", state: "saved", seq: 4 },
};

type Refused = Omit<Extract<FromServer, { type: "refused" }>, "type" | "id">;

/** What the page shows at a field whose edit the server refuses. */
async function shown(refused: Refused): Promise<string | null> {
  const asked: FromClient[] = [];
  const socket: RawSocket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text: string) => asked.push(JSON.parse(text) as FromClient),
    close: () => undefined,
  };
  const say = (message: FromServer): void =>
    socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent<unknown>);
  const project = new Project("p", () => socket, { client: "me", name: "Ann" });
  project.start();
  socket.onopen?.(undefined as never);
  say(WHOLE);
  const answer = new StepEditor(project).setField("w", "seconds", -1);
  const edit = asked.find((message) => message.type === "edit");
  say({ type: "refused", id: edit?.id ?? null, ...refused });
  return answer;
}

describe("an edit that the server refuses", () => {
  it("says what is wrong in the person's language, without the place in the file", async () => {
    setLanguage("de");
    const why = { code: "check.closes_on_nothing", text: "the tool closes on nothing", values: {} };
    const values = { program: "pick", pointer: "/steps/0/seconds", why };
    const text = "program pick/steps/0/seconds: the tool closes on nothing";
    const answer = await shown({ message: text, said: { code: "check.fault", text, values } });
    setLanguage("en");
    expect(answer).toBe("es schließt, ohne etwas zu greifen");
  });

  it("says a fault without a code as the server wrote it", async () => {
    const text = "program pick/steps/0/seconds: too long";
    const values = { program: "pick", pointer: "/steps/0/seconds", why: "too long" };
    expect(await shown({ message: text, said: { code: "check.fault", text, values } })).toBe("too long");
    expect(await shown({ message: "no step w" })).toBe("no step w");
  });
});
