/** What a panel shows, and where each part of it is. Pure; pixels from the panel's top left. */

import type { Box } from "./panel-ray";

export type Tone = "plain" | "calm" | "good" | "warn" | "stop" | "primary";

export interface Words {
  readonly kind: "title" | "text";
  readonly text: string;
  readonly tone?: Tone;
}

export interface Button {
  readonly kind: "button";
  readonly id: string;
  readonly text: string;
  readonly tone?: Tone;
  /** Switched on, or chosen among others. */
  readonly on?: boolean;
  /** Why it does nothing now; empty: it does. */
  readonly blocked?: string;
  /** "press": acts as soon as the hand closes, as a stop must; "hold": as long as it is closed. */
  readonly when?: "release" | "press" | "hold";
  /** For "hold" also on letting go. */
  readonly act: (begins: boolean) => void;
}

export type Element = Words | Button;

/** Elements side by side; a share of the width each, 1 unless said. */
export interface Row {
  readonly elements: readonly Element[];
  readonly shares?: readonly number[];
}

export interface Placed extends Box {
  readonly element: Element;
  /** Of a text, broken to the width. */
  readonly lines: readonly string[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly placed: readonly Placed[];
}

export const PADDING = 20;
export const GAP = 10;
export const BUTTON_HEIGHT = 60;
export const TITLE_HEIGHT = 46;
export const LINE_HEIGHT = 34;
/** Inside a button, on each side. */
export const INSET = 14;

export const title = (text: string): Row => ({ elements: [{ kind: "title", text }] });

export const text = (words: string, tone: Tone = "plain"): Row => ({
  elements: [{ kind: "text", text: words, tone }],
});

export const row = (...elements: readonly Element[]): Row => ({ elements });

/** A row of choices, of which one is on. */
export function choice<T extends string | number>(
  id: string,
  value: T,
  choices: readonly { readonly value: T; readonly text: string }[],
  choose: (value: T) => void,
): Row {
  return row(
    ...choices.map((one): Button => ({
      kind: "button",
      id: `${id}:${one.value}`,
      text: one.text,
      on: one.value === value,
      act: () => choose(one.value),
    })),
  );
}

/** How long words are, pixels. */
export type Measure = (words: string, kind: Element["kind"]) => number;

/** Lay rows out below each other in a panel of this width. */
export function layOut(rows: readonly Row[], width: number, measure: Measure): Layout {
  const placed: Placed[] = [];
  let y = PADDING;
  for (const { elements, shares } of rows) {
    const parts = elements.map((_, i) => shares?.[i] ?? 1);
    const sum = parts.reduce((a, b) => a + b, 0);
    const room = width - 2 * PADDING - GAP * (elements.length - 1);
    let x = PADDING;
    let height = 0;
    for (const [i, element] of elements.entries()) {
      const own = (room * (parts[i] ?? 1)) / sum;
      const lines = breakLines(element, own, measure);
      const high = heightOf(element, lines.length);
      placed.push({ element, lines, x, y, width: own, height: high });
      height = Math.max(height, high);
      x += own + GAP;
    }
    y += height + GAP;
  }
  return { width, height: y - GAP + PADDING, placed };
}

function heightOf({ kind }: Element, lines: number): number {
  if (kind === "title") return TITLE_HEIGHT;
  if (kind === "text") return LINE_HEIGHT * lines;
  return Math.max(BUTTON_HEIGHT, LINE_HEIGHT * lines + 2 * INSET);
}

/** Break words to a width; a word that is too long for a line is cut where it must be. */
function breakLines(element: Element, width: number, measure: Measure): readonly string[] {
  const room = element.kind === "button" ? width - 2 * INSET : width;
  const fits = (words: string): boolean => measure(words, element.kind) <= room;
  const lines: string[] = [];
  for (const paragraph of element.text.split("\n")) {
    let line = "";
    for (let word of paragraph.split(" ")) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      while (!fits(word) && word.length > 1) {
        let end = word.length - 1;
        while (end > 1 && !fits(word.slice(0, end))) end--;
        lines.push(word.slice(0, end));
        word = word.slice(end);
      }
      line = word;
    }
    lines.push(line);
  }
  return lines;
}
