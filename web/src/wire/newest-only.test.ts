import { describe, expect, it } from "vitest";
import { NewestOnly } from "./newest-only";

function harness() {
  const sent: [number, string][] = [];
  const answers: string[] = [];
  const link = { up: true };
  let now = 0;
  const asking = new NewestOnly<string, string>(
    (id, question) => {
      if (link.up) sent.push([id, question]);
      return link.up;
    },
    () => now,
  );
  const ask = (lane: string, question: string): void =>
    asking.ask(lane, {
      question: () => question,
      answered: (answer, ms) => answers.push(`${question}: ${answer} (${ms} ms)`),
    });
  const wait = (ms: number): void => {
    now += ms;
  };
  return { asking, ask, sent, answers, link, wait };
}

describe("NewestOnly", () => {
  it("keeps one question under way and of those that wait only the newest", () => {
    const { asking, ask, sent, answers, wait } = harness();
    ask("inverse", "a");
    ask("inverse", "b");
    ask("inverse", "c");
    expect(sent).toEqual([[1, "a"]]);
    wait(3);
    asking.answer(1, "A");
    expect(sent).toEqual([
      [1, "a"],
      [2, "c"],
    ]);
    wait(2);
    asking.answer(2, "C");
    expect(answers).toEqual(["a: A (3 ms)", "c: C (2 ms)"]);
    expect(asking.idle).toBe(true);
  });

  it("makes the question when it goes out, after the answer before it was taken in", () => {
    const { asking, sent } = harness();
    let state = "old";
    asking.ask("inverse", {
      question: () => state,
      answered: () => {
        state = "new";
      },
    });
    asking.ask("inverse", { question: () => state, answered: () => undefined });
    asking.answer(1, "A");
    expect(sent.map(([, question]) => question)).toEqual(["old", "new"]);
  });

  it("keeps the lanes apart", () => {
    const { ask, sent } = harness();
    ask("inverse", "a");
    ask("forward", "b");
    expect(sent.map(([, question]) => question)).toEqual(["a", "b"]);
  });

  it("asks again what had no answer when the link comes back", () => {
    const { asking, ask, sent, answers, link } = harness();
    ask("inverse", "a");
    link.up = false;
    asking.restart();
    expect(sent.length).toBe(1);
    link.up = true;
    asking.restart();
    expect(sent).toEqual([
      [1, "a"],
      [3, "a"],
    ]);
    asking.answer(1, "late");
    expect(answers).toEqual([]);
    asking.answer(3, "A");
    expect(answers).toEqual(["a: A (0 ms)"]);
  });

  it("after a loss prefers the newer wish", () => {
    const { asking, ask, sent, link } = harness();
    ask("inverse", "a");
    link.up = false;
    ask("inverse", "b");
    asking.restart();
    link.up = true;
    asking.restart();
    expect(sent.map(([, question]) => question)).toEqual(["a", "b"]);
  });

  it("forgets what was cancelled, also when its answer still comes", () => {
    const { asking, ask, sent, answers } = harness();
    ask("inverse", "a");
    ask("inverse", "b");
    asking.cancel("inverse");
    asking.answer(1, "A");
    expect(answers).toEqual([]);
    expect(sent.length).toBe(1);
    expect(asking.idle).toBe(true);
  });

  it("ignores answers to questions it does not know", () => {
    const { asking, ask, answers } = harness();
    ask("inverse", "a");
    asking.answer(99, "?");
    expect(answers).toEqual([]);
    expect(asking.idle).toBe(false);
  });
});
