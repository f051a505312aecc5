import { describe, expect, it } from "vitest";
import { GRAMMARS, tokensOf } from "./export-tokens";

const kinds = (line: string, form: string): string =>
  tokensOf(line, form)
    .filter(({ text }) => text.trim() !== "")
    .map(({ kind, text }) => `${kind}:${text}`)
    .join(" ");

describe("tokens", () => {
  it("know words, names, numbers, strings and comments of each language", () => {
    expect(kinds("  MoveL p10, v200; ! slow", "rapid")).toBe(
      "word:MoveL name:p10 sign:, name:v200 sign:; comment:! slow",
    );
    expect(kinds("movej([1.5e-3, -2], a=.4) # go", "urscript")).toBe(
      "word:movej sign:( sign:[ number:1.5e-3 sign:, sign:- number:2 sign:] sign:, name:a sign:= number:.4 sign:) comment:# go",
    );
    expect(kinds('.PROGRAM pick() ; "x"', "vplus")).toBe(
      'word:.PROGRAM name:pick sign:( sign:) comment:; "x"',
    );
    expect(kinds('TYPE "a ; b"', "vplus")).toBe('word:TYPE string:"a ; b"');
  });

  it("lose no character, whatever the text", () => {
    const odd = 'äß "open \t#!; .5.5 x..y {} 0x1F €\u0000';
    for (const form of [...Object.keys(GRAMMARS), "other"])
      expect(
        tokensOf(odd, form)
          .map(({ text }) => text)
          .join(""),
      ).toBe(odd);
  });
});
