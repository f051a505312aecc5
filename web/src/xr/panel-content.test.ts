import { expect, it } from "vitest";
import { type Button, choice, type Element, layOut, PADDING, row, text, title } from "./panel-content";

/** Ten pixels a character. */
const measure = (words: string): number => 10 * words.length;
const button = (id: string, words = id): Button => ({
  kind: "button",
  id,
  text: words,
  act: () => undefined,
});

it("lays rows out below each other, inside the panel, without overlaps", () => {
  const { width, height, placed } = layOut(
    [
      title("Menu"),
      text("some words that are longer than the panel is wide"),
      row(button("a"), button("b")),
      row(button("c")),
    ],
    400,
    measure,
  );
  for (const [i, one] of placed.entries()) {
    expect(one.x).toBeGreaterThanOrEqual(PADDING);
    expect(one.x + one.width).toBeLessThanOrEqual(width - PADDING + 1e-9);
    expect(one.y + one.height).toBeLessThanOrEqual(height - PADDING + 1e-9);
    for (const other of placed.slice(i + 1)) {
      const beside = one.x + one.width <= other.x || other.x + other.width <= one.x;
      const below = one.y + one.height <= other.y || other.y + other.height <= one.y;
      expect(beside || below).toBe(true);
    }
  }
});

it("breaks words to the width, also one that is longer than a line", () => {
  const words = "a longer sentence with a Geschwindigkeitsbegrenzungsschalterbezeichnung in it";
  const { placed } = layOut([text(words)], 240, measure);
  const lines = placed[0]?.lines ?? [];
  for (const line of lines) expect(measure(line)).toBeLessThanOrEqual(200);
  expect(lines.join("").replaceAll(" ", "")).toBe(words.replaceAll(" ", ""));
});

it("keeps line ends", () => {
  expect(layOut([text("one\ntwo")], 400, measure).placed[0]?.lines).toEqual(["one", "two"]);
});

it("a long label makes its button higher, not wider", () => {
  const { placed } = layOut([row(button("a", "words ".repeat(12).trim()), button("b"))], 400, measure);
  const [long, short] = placed;
  expect(long?.width).toBe(short?.width);
  expect(long?.height).toBeGreaterThan(short?.height ?? Infinity);
});

it("of choices one is on, and each chooses itself", () => {
  let chosen = "slow";
  const rows = choice(
    "speed",
    "slow",
    [
      { value: "slow", text: "Slow" },
      { value: "fast", text: "Fast" },
    ],
    (one) => {
      chosen = one;
    },
  );
  const isButton = (one: Element): one is Button => one.kind === "button";
  const buttons = rows.elements.filter(isButton);
  expect(buttons.map(({ id, on }) => [id, on])).toEqual([
    ["speed:slow", true],
    ["speed:fast", false],
  ]);
  buttons[1]?.act(true);
  expect(chosen).toBe("fast");
});
