import { describe, expect, it } from "vitest";
import { type ShownBy, shownKind } from "./shown-kind";

const now: ShownBy = { mode: "build", ghost: true, recorded: true, measured: true, linked: true };

describe("What the view shows", () => {
  it("is live only where robots say where they are, and somebody hears them", () => {
    expect(shownKind({ ...now, mode: "operate" })).toBe("live");
    expect(shownKind({ ...now, mode: "operate", linked: false })).toBe("lost");
    expect(shownKind({ ...now, mode: "operate", measured: false })).toBe("start");
    for (const mode of ["build", "teach", "program"] as const)
      expect(shownKind({ ...now, mode })).not.toBe("live");
  });

  it("is the target while an arm is taught, and a preview of the program that is open", () => {
    expect(shownKind({ ...now, mode: "teach" })).toBe("target");
    expect(shownKind({ ...now, mode: "teach", ghost: false })).toBe("start");
    expect(shownKind({ ...now, mode: "program" })).toBe("preview");
    expect(shownKind({ ...now, mode: "program", recorded: false })).toBe("start");
  });
});
