import { describe, expect, it } from "vitest";
import { nextPanel } from "./go-to-panel";

describe("nextPanel", () => {
  it("goes round, and begins at an end where no panel has the focus", () => {
    expect([nextPanel(-1, 4, 1), nextPanel(-1, 4, -1)]).toEqual([0, 3]);
    expect([nextPanel(0, 4, 1), nextPanel(3, 4, 1), nextPanel(0, 4, -1)]).toEqual([1, 0, 3]);
  });
});
