import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RobotStop, Stopped } from "../../wire/studio";
import { ANSWER_MS, CALM_MS, stopLines, StopNews } from "./stop-news";

const robot = (name: string, more: Partial<RobotStop> = {}): RobotStop => ({
  type: "robot stop",
  robot: name,
  reached: true,
  rest_ms: 160.2,
  distance_mm: 84.4,
  reason: "",
  ...more,
});
const stopped = (...robots: RobotStop[]): Stopped => ({ type: "stopped", id: 0, by: "", robots });

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("says of each robot what a stop has done, the worst first", () => {
  expect(
    stopLines(
      stopped(
        robot("ur3e"),
        robot("near", { distance_mm: null }),
        robot("slow", { rest_ms: null, reason: "still moves after 2 s" }),
        robot("irb", { reached: false, reason: "no contact" }),
      ),
    ),
  ).toEqual([
    { level: "alert", words: "irb NOT reached: use the stop at the robot. (no contact)" },
    { level: "warn", words: "slow received the stop, but was not seen at rest. (still moves after 2 s)" },
    { level: "calm", words: "ur3e at rest after 160 ms, 84 mm." },
    { level: "calm", words: "near at rest after 160 ms." },
  ]);
});

test("says that a run which had not begun was cancelled", () => {
  expect(stopLines({ ...stopped(), cancelled: "pick" })).toEqual([
    { level: "calm", words: "The run of pick was cancelled before it started." },
  ]);
});

test("two answers to one stop are put together", () => {
  let now = 0;
  const news = new StopNews(() => now);
  news.sent(true);
  news.take(stopped(robot("ur3e", { rest_ms: null, distance_mm: null })));
  news.take(stopped(robot("ur3e"), robot("irb", { reached: false })));
  news.take(stopped(robot("ur3e", { reached: false, rest_ms: null })));
  expect(news.lines.value.map(({ level }) => level)).toEqual(["alert", "calm"]);
  expect(news.lines.value[1]?.words).toContain("160 ms");
  now = 10_000;
  news.take(stopped(robot("ur3e", { reached: false, rest_ms: null })));
  expect(news.lines.value).toMatchObject([{ level: "alert" }]);
});

test("the answer that found a robot moving counts, not the one that found it at rest already", () => {
  for (const swapped of [false, true]) {
    const news = new StopNews(() => 0);
    const both = [robot("ur3e"), robot("ur3e", { rest_ms: 0, distance_mm: 0 })];
    for (const one of swapped ? both.reverse() : both) news.take(stopped(one));
    expect(news.lines.value[0]?.words).toBe("ur3e at rest after 160 ms, 84 mm.");
  }
});

test("a stop without an answer is an alarm, one with an answer is not", () => {
  const news = new StopNews();
  news.sent(true);
  vi.advanceTimersByTime(ANSWER_MS - 1);
  expect(news.lines.value).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(news.lines.value).toMatchObject([{ level: "alert" }]);
  news.sent(true);
  news.take(stopped(robot("ur3e")));
  vi.advanceTimersByTime(ANSWER_MS);
  expect(news.lines.value).toMatchObject([{ level: "calm" }]);
  news.sent(true);
  news.answered();
  vi.advanceTimersByTime(ANSWER_MS);
  expect(news.lines.value).toEqual([]);
  news.sent(false);
  expect(news.lines.value).toMatchObject([{ level: "alert" }]);
});

test("good news goes by itself, bad news stays", () => {
  const news = new StopNews();
  news.take(stopped(robot("ur3e")));
  vi.advanceTimersByTime(CALM_MS);
  expect(news.lines.value).toEqual([]);
  news.take(stopped(robot("ur3e"), robot("irb", { reached: false })));
  vi.advanceTimersByTime(10 * CALM_MS);
  expect(news.lines.value).toHaveLength(2);
});
