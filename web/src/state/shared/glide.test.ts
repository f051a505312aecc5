import { describe, expect, it } from "vitest";
import { FakeClock } from "./fake-clock";
import { Glide } from "./glide";

describe("Glide", () => {
  it("goes smoothly and ends exactly at the goal", () => {
    const clock = new FakeClock();
    const glide = new Glide(clock);
    const seen: (readonly number[])[] = [];
    glide.start([0, 10], [1, 0], 100, (values) => seen.push(values));
    expect(glide.goal).toEqual([1, 0]);
    clock.advance(120);
    expect(seen.at(-1)).toEqual([1, 0]);
    expect(glide.goal).toBeNull();
    expect(clock.idle).toBe(true);
    const first = seen.map(([value = 0]) => value);
    expect(first).toEqual([...first].sort((a, b) => a - b));
    expect(first[0]).toBeLessThan(0.05);
  });

  it("is replaced by the next one and can be stopped", () => {
    const clock = new FakeClock();
    const glide = new Glide(clock);
    let value = 0;
    glide.start([0], [1], 100, ([now = 0]) => (value = now));
    clock.advance(50);
    glide.start([value], [0], 100, ([now = 0]) => (value = now));
    clock.advance(50);
    glide.stop();
    const stopped = value;
    clock.advance(200);
    expect(value).toBe(stopped);
    expect(clock.idle).toBe(true);
  });

  it("is there at once for a person who wants no motion", () => {
    const clock = new FakeClock();
    clock.calm = true;
    const glide = new Glide(clock);
    const seen: (readonly number[])[] = [];
    glide.start([0], [1], 100, (values) => seen.push(values));
    expect(seen).toEqual([[1]]);
    expect(glide.goal).toBeNull();
    expect(clock.idle).toBe(true);
  });
});
