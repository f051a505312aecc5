import { expect, it } from "vitest";
import { FrameSource } from "./frame-source";

function make() {
  const asked = new Map<number, (ms: number) => void>();
  let last = 0;
  const source = new FrameSource({
    request: (callback) => {
      asked.set(++last, callback);
      return last;
    },
    cancel: (handle) => void asked.delete(handle),
  });
  const draw = (ms: number): void => {
    const now = [...asked.values()];
    asked.clear();
    for (const one of now) one(ms);
  };
  return { source, asked, draw };
}

it("asks the window once for everybody who waits", () => {
  const { source, asked, draw } = make();
  const seen: number[] = [];
  source.next((ms) => seen.push(ms));
  source.next((ms) => seen.push(ms + 1));
  expect(asked.size).toBe(1);
  draw(10);
  expect(seen).toEqual([10, 11]);
  expect(asked.size).toBe(0);
});

it("forgets who has cancelled, also within the frame", () => {
  const { source, draw } = make();
  const seen: string[] = [];
  source.next(() => source.cancel(second));
  const second = source.next(() => seen.push("second"));
  draw(1);
  expect(seen).toEqual([]);
});

it("who asks again in a frame waits for the next one", () => {
  const { source, draw } = make();
  let count = 0;
  const again = (): void => {
    count++;
    source.next(again);
  };
  source.next(again);
  draw(1);
  draw(2);
  expect(count).toBe(2);
});

it("nobody is lost when a headset takes over and when it goes", () => {
  const { source, asked, draw } = make();
  const seen: number[] = [];
  const loop = (ms: number): void => {
    seen.push(ms);
    source.next(loop);
  };
  source.next(loop);
  source.drive(true);
  expect(asked.size).toBe(0);
  source.run(5);
  source.run(6);
  source.drive(false);
  draw(7);
  expect(seen).toEqual([5, 6, 7]);
});
