import { describe, expect, it } from "vitest";
import type { Operating, RobotStatus } from "../../wire/studio";
import { ControlNews } from "./control-news";
import { OFF } from "./operator";

const now = (holder: string, ...asking: string[]): Operating => ({
  ...OFF,
  state: "on",
  robots: [{ name: "ur3e", holder, asking } as unknown as RobotStatus],
});

describe("ControlNews", () => {
  it("tells the holder who asks, until that is answered or put off", () => {
    const news = new ControlNews(
      () => "me",
      () => undefined,
    );
    news.take(now("other", "me"));
    expect(news.asked.value).toEqual([]);
    news.take(now("me", "bob", "eve"));
    expect(news.asked.value.map(({ client }) => client)).toEqual(["bob", "eve"]);
    const [bob] = news.asked.value;
    if (bob !== undefined) news.putOff(bob);
    news.take(now("me", "bob", "eve"));
    expect(news.asked.value.map(({ client }) => client)).toEqual(["eve"]);
    news.take(now("me"));
    news.take(now("me", "bob"));
    expect(news.asked.value.map(({ client }) => client)).toEqual(["bob"]);
    news.take(now("bob"));
    expect(news.asked.value).toEqual([]);
  });

  it("tells by whom control was taken, and nothing where it was given", () => {
    let gave: string | undefined = "bob";
    const news = new ControlNews(
      () => "me",
      () => gave,
    );
    news.take(now("me"));
    news.take(now("bob"));
    expect(news.lost.value).toBeNull();
    gave = undefined;
    news.take(now("me"));
    news.take(now(""));
    expect(news.lost.value).toBeNull();
    news.take(now("me"));
    news.take(now("eve"));
    expect(news.lost.value).toEqual({ robot: "ur3e", to: "eve" });
    news.take(now("me"));
    expect(news.lost.value).toBeNull();
  });
});
