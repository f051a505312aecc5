import { describe, expect, it } from "vitest";
import { History } from "./history";

function harness() {
  const state = { value: 0, now: 0 };
  const history = new History<number>(
    () => state.value,
    (value) => (state.value = value),
    () => state.now,
  );
  const change = (kind: string, value: number, afterMs = 1000): void => {
    state.now += afterMs;
    history.record(kind);
    state.value = value;
  };
  return { state, history, change };
}

describe("History", () => {
  it("goes back and forth", () => {
    const { state, history, change } = harness();
    change("a", 1);
    change("b", 2);
    history.undo();
    expect(state.value).toBe(1);
    history.undo();
    expect(state.value).toBe(0);
    expect(history.canUndo.value).toBe(false);
    history.redo();
    history.redo();
    expect(state.value).toBe(2);
    expect(history.canRedo.value).toBe(false);
  });

  it("counts a gesture once", () => {
    const { state, history, change } = harness();
    for (const value of [1, 2, 3]) change("joint 1", value, 16);
    history.undo();
    expect(state.value).toBe(0);
  });

  it("counts a drag once, however slow the machine is", () => {
    const { state, history } = harness();
    for (const value of [1, 2, 3]) {
      history.record("joint 1", true);
      state.value = value;
      state.now += 2000;
    }
    history.end();
    history.record("joint 1", true);
    state.value = 4;
    history.undo();
    expect(state.value).toBe(3);
    history.undo();
    expect(state.value).toBe(0);
  });

  it("forgets the future after a new change, and is calm where there is nothing", () => {
    const { state, history, change } = harness();
    history.undo();
    change("a", 1);
    history.undo();
    change("b", 5);
    history.redo();
    expect(state.value).toBe(5);
  });
});
