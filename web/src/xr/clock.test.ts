import { expect, it } from "vitest";
import { inUse } from "./clock";

it("counts hours beyond a day", () => {
  expect(inUse(0)).toBe("00:00:00");
  expect(inUse(3661.9)).toBe("01:01:01");
  expect(inUse(100 * 3600 + 59)).toBe("100:00:59");
  expect(inUse(-3)).toBe("00:00:00");
});
