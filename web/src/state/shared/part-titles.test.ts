import { afterEach, describe, expect, it } from "vitest";
import { setLanguage } from "../texts";
import { partTitle } from "./part-titles";

const facts: Readonly<Record<string, string>> = import.meta.glob(
  "../../../../src/openpendant/robots/*/facts.toml",
  { query: "?raw", import: "default", eager: true },
);
/** What is written in the robot or by its maker. */
const NAMES = /^(J\d|x|y|θ|UR3e|IRB 120|RX90L)$/;

describe("titles of the catalogue", () => {
  afterEach(() => {
    setLanguage("en");
  });

  const titles = new Set(
    Object.values(facts).flatMap((text) =>
      // Robots and sources have titles, too: before the first table, and in tables of their own.
      [...text.matchAll(/^\[\[?([\w.]+)\]\]?$((?:\n(?!\[).*)*)/gm)]
        .filter(([, table = ""]) => !/sources/.test(table))
        .flatMap(([, , body = ""]) => [...body.matchAll(/^title = "(.+)"$/gm)].map(([, title = ""]) => title)),
    ),
  );

  it("are found", () => {
    expect([...titles]).toContain("Axis 1");
  });

  it.each(["de", "es"])("are said in %s", (language) => {
    setLanguage(language);
    const same = [...titles].filter((title) => !NAMES.test(title) && partTitle(title) === title);
    expect(same).toEqual(language === "es" ? ["Base"] : []);
  });

  it.each([...titles])("keep to the catalogue in English: %s", (title) => {
    expect(partTitle(title)).toBe(title);
  });

  it("are left alone where somebody else has given them", () => {
    setLanguage("de");
    expect(partTitle("Turn 2")).toBe("Turn 2");
  });
});
