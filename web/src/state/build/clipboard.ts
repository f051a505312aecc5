/** Things of a cell as text for the clipboard, so that they go to another project too. Pure. */

import type { Cell, CellItem } from "../../wire/studio";
import type { Draft } from "./new-things";
import { findThing, SECTIONS } from "./tree";
import type { Section } from "../shared/patches";

const MARK = "openpendant.things";
const MOST = 500;

interface Written {
  readonly kind: typeof MARK;
  readonly things: readonly Draft[];
}

export function writeThings(cell: Cell, names: readonly string[]): string {
  const things = names.flatMap((name): Draft[] => {
    const found = findThing(cell, name);
    return found === null ? [] : [{ section: found.section, item: found.item }];
  });
  const written: Written = { kind: MARK, things };
  return JSON.stringify(written, null, 2);
}

/** The things of a text; null where it holds none. What is in them is judged by the server. */
export function readThings(text: string): readonly Draft[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(parsed) || parsed["kind"] !== MARK || !Array.isArray(parsed["things"])) return null;
  const things = parsed["things"].filter(isThing);
  return things.length === 0 || things.length > MOST ? null : things;
}

function isThing(value: unknown): value is Draft {
  if (!isRecord(value) || !isRecord(value["item"])) return false;
  return isSection(value["section"]) && typeof (value["item"] as Partial<CellItem>).name === "string";
}

const isSection = (value: unknown): value is Section => SECTIONS.some((section) => section === value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
