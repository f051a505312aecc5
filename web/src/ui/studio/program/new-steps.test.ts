import { afterEach, describe, expect, it } from "vitest";
import { setLanguage } from "../../../state/texts";
import { findNew } from "./new-steps";

describe("the menu of new steps", () => {
  afterEach(() => setLanguage("en"));

  it.each([
    ["en", "close", "close"],
    ["en", "open", "open"],
    ["de", "schließen", "close"],
    ["es", "abrir", "open"],
  ])("finds in %s by “%s” what it says", (language, typed, state) => {
    setLanguage(language);
    expect(findNew(typed)[0]).toEqual({ kind: "tool", state });
  });

  it("has every kind where nothing was typed", () => {
    expect(new Set(findNew(" ").map(({ kind }) => kind)).size).toBeGreaterThan(10);
  });
});
