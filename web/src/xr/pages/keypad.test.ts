import { expect, it } from "vitest";
import { type Key, KEYS, numberOf, typed } from "./keypad";

const type = (...keys: Key[]): string => keys.reduce(typed, "");

it("types numbers", () => {
  expect(numberOf(type("1", ".", "5"))).toBe(1.5);
  expect(numberOf(type("0", "7"))).toBe(7);
  expect(numberOf(type(".", "2", "5"))).toBe(0.25);
  expect(numberOf(type("3", "."))).toBe(3);
});

it("deletes, also where nothing is left", () => {
  expect(type("1", "2", "delete")).toBe("1");
  expect(type("delete", "delete")).toBe("");
  expect(numberOf("")).toBeNull();
});

it("whatever is typed, it is a number that is not negative, or none", () => {
  const keys = KEYS.flat();
  let seed = 7;
  for (let round = 0; round < 300; round++) {
    let text = "";
    for (let i = 0; i < 20; i++) {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      text = typed(text, keys[seed % keys.length] ?? "0");
      const value = numberOf(text);
      expect(value === null ? text === "" : Number.isFinite(value) && value >= 0).toBe(true);
    }
  }
});
