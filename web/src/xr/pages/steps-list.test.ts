import { expect, it } from "vitest";
import { windowAt } from "./steps-list";

it("shows the step that is opened, and moves no more than it must", () => {
  expect(windowAt(0, 3, 20, 7)).toBe(0);
  expect(windowAt(0, 7, 20, 7)).toBe(1);
  expect(windowAt(10, 4, 20, 7)).toBe(4);
  expect(windowAt(4, 8, 20, 7)).toBe(4);
});

it("stays inside the list, however short it has become", () => {
  expect(windowAt(14, -1, 9, 7)).toBe(2);
  expect(windowAt(14, -1, 3, 7)).toBe(0);
  expect(windowAt(-7, -1, 20, 7)).toBe(0);
});
