/**
 * What the server says, in the person's language: by its code, with its values in their places. What has no code, or
 * one that this page does not know, stays as the server wrote it.
 */

import type { SaidMessage } from "../../wire/generated";
import { MINUS } from "./numbers";
import { dictionaryOf, fill, getLanguage, type Text } from "../texts";

/** Something to be told: words of the page itself, English without a code, or a sentence with one. */
export type Words = string | SaidMessage;

type Value = SaidMessage["values"][string];
type Known = Readonly<Record<string, Text | undefined>>;

/** Faults of a document: `pointer` is where, `why` is what. */
const PLACED: ReadonlySet<string> = new Set(["edit.fault", "check.fault", "edit.not_a_at"]);

const PLACE = /\{(\w+):([^}]+)\}/g;

export function wordsOf(words: Words): string {
  if (typeof words === "string") return words;
  const language = getLanguage();
  const key = `said.${words.code}`;
  const text = (dictionaryOf(language).texts as Known)[key];
  if (text === undefined) return words.text;
  const forms = formsOf(key);
  const values = Object.entries(words.values).map(([name, value]) => [name, written(value, forms.get(name))]);
  return fill(text, Object.fromEntries(values) as Readonly<Record<string, string>>, language);
}

/**
 * The reason in a refused edit, without the place in the document that it names first: for where the person sees the
 * place. Where `items` are given, only a place in one of them is left out; one elsewhere has to be named.
 */
export function withoutPlace(words: Words, items?: readonly string[]): Words {
  if (typeof words === "string" || !PLACED.has(words.code)) return words;
  const { why, item } = words.values;
  if (items !== undefined && typeof item === "string" && !items.includes(item)) return words;
  return typeof why === "object" || typeof why === "string" ? why : words;
}

/** Sentences with the codes that came beside a list of English ones. */
export function wordsIn(
  texts: readonly string[],
  said: readonly (SaidMessage | null)[] = [],
): readonly Words[] {
  return texts.map((text, i) => said[i] ?? text);
}

/** How numbers are written, by place: in every language as the English says. */
function formsOf(key: string): ReadonlyMap<string, string> {
  const english = (dictionaryOf("en").texts as Known)[key];
  const places = typeof english === "string" ? english.matchAll(PLACE) : [];
  return new Map([...places].map(([, name = "", form = ""]) => [name, form]));
}

function written(value: Value, form: string | undefined): string {
  if (typeof value === "object") return wordsOf(value);
  if (typeof value !== "number" || form === undefined) return String(value);
  return numberIn(value, form).replace(/^-/, MINUS);
}

/** A number in one of Python's forms: `.1f`, `.3g`, `g`, `+d`. */
export function numberIn(value: number, form: string): string {
  const digits = /\.(\d+)/.exec(form)?.[1];
  const sign = form.startsWith("+") && value >= 0 ? "+" : "";
  if (form.endsWith("f")) return sign + value.toFixed(Number(digits ?? 6));
  if (form.endsWith("g")) return sign + String(Number(value.toPrecision(Number(digits ?? 6))));
  return sign + String(Math.round(value));
}
