import { afterEach, describe, expect, it } from "vitest";
import { setLanguage } from "../texts";
import { fromCatalogue } from "./catalogue-texts";

const facts: Readonly<Record<string, string>> = import.meta.glob(
  "../../../../src/openpendant/robots/*/facts.toml",
  { query: "?raw", import: "default", eager: true },
);
/** What is written on the robot or by its maker. */
const NAMES = /^(J\d|x|y|θ|READY|IRB 120|RX90L|UR3e)$/;
const TABLES: Readonly<Record<string, RegExp>> = {
  arms: /^title = "(.+)"$/gm,
  joints: /^title = "(.+)"$/gm,
  tools: /^title = "(.+)"$/gm,
  "arms.postures": /^(?:name|note) = "(.+)"$/gm,
};

const HEAD = /^summary = "(.+)"$/gm;

/** In the head and each table of each robot; a table begins with its name in brackets. */
const texts = new Set(
  Object.values(facts).flatMap((text) =>
    text.split(/^(?=\[)/m).flatMap((table) => {
      const name = /^\[\[?([\w.]+)/.exec(table)?.[1];
      const wanted = name === undefined ? HEAD : TABLES[name];
      return wanted === undefined ? [] : [...table.matchAll(wanted)].map(([, one = ""]) => one);
    }),
  ),
);

describe("what the catalogue says", () => {
  afterEach(() => {
    setLanguage("en");
  });

  it.each(["Axis 1", "Left arm", "Two-finger gripper", "home", "All axes at zero."])(
    "is found: %s",
    (one) => {
      expect(texts).toContain(one);
    },
  );

  it.each([
    ["de", []],
    ["es", ["Base"]],
  ])("is said in %s", (language, same) => {
    setLanguage(language);
    expect([...texts].filter((one) => !NAMES.test(one) && fromCatalogue(one) === one)).toEqual(same);
  });

  it.each([...texts])("is the same in English: %s", (one) => {
    expect(fromCatalogue(one)).toBe(one);
  });

  it("is left alone where somebody else says it", () => {
    setLanguage("de");
    expect(fromCatalogue("Turn 2")).toBe("Turn 2");
  });
});
