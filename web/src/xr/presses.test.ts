import { expect, it } from "vitest";
import { Presses } from "./presses";

it("has three looks and acts on release inside", () => {
  const presses = new Presses();
  expect(presses.look("run")).toBe("rest");
  expect(presses.point("right", "run")).toBe(true);
  expect(presses.point("right", "run")).toBe(false);
  expect(presses.look("run")).toBe("lit");
  expect(presses.press("right")).toBe("run");
  expect(presses.look("run")).toBe("held");
  expect(presses.release("right")).toEqual({ id: "run", inside: true });
  expect(presses.look("run")).toBe("lit");
});

it("keeps the look of what is held while the ray is elsewhere, and does not act there", () => {
  const presses = new Presses();
  presses.point("right", "run");
  presses.press("right");
  presses.point("right", "pause");
  expect(presses.look("run")).toBe("held");
  expect(presses.look("pause")).toBe("lit");
  expect(presses.release("right")).toEqual({ id: "run", inside: false });
  expect(presses.look("run")).toBe("rest");
});

it("a hand that closes beside everything holds nothing when its ray comes onto an element", () => {
  const presses = new Presses();
  expect(presses.press("left")).toBeNull();
  presses.point("left", "run");
  expect(presses.release("left")).toBeNull();
});

it("hands do not take each other's elements", () => {
  const presses = new Presses();
  presses.point("left", "a");
  presses.point("right", "b");
  presses.press("left");
  presses.press("right");
  expect(presses.release("left")).toEqual({ id: "a", inside: true });
  expect(presses.look("b")).toBe("held");
});

it("nothing stays lit or held when a hand goes", () => {
  const presses = new Presses();
  presses.point("right", "run");
  presses.press("right");
  expect(presses.leave("right")).toBe("run");
  expect(presses.look("run")).toBe("rest");
  expect(presses.release("right")).toBeNull();
  expect(presses.leave("right")).toBeNull();
});
