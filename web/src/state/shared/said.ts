/**
 * What the server says, in the person's language: by its code, with its values in their places. What has no code, or
 * one that this page does not know, stays as the server wrote it.
 */

import type { SaidMessage } from "../../wire/generated";
import { createSubscriber } from "svelte/reactivity";
import { MINUS } from "./numbers";
import { onChange, Store } from "./store";
import { ANGLE_UNITS, type AngleUnit, LENGTH_UNITS, type LengthUnit, toUnit } from "./units";
import { dictionaryOf, fill, getLanguage, type Text } from "../texts";

/** Something to be told: words of the page itself, English without a code, or a sentence with one. */
export type Words = string | SaidMessage;

type Value = SaidMessage["values"][string];
type Known = Readonly<Record<string, Text | undefined>>;

/** Faults of a document: `pointer` is where, `why` is what. */
const PLACED: ReadonlySet<string> = new Set(["edit.fault", "check.fault", "edit.not_a_at"]);

/** Guesses about the unit of a value: the person has seen the unit, which stands beside the field. */
const GUESSES: ReadonlySet<string> = new Set(["fault.millimetres", "fault.degrees", "fault.grams"]);

/** Sentences about a file or a number in a document, whose unit is not the person's. */
const IN_SI: ReadonlySet<string> = new Set([...GUESSES, "mesh.too_large", "request.far_point"]);

const PLACE = /\{(\w+):([^}]+)\}/g;
const QUANTITY = /\{(\w+_(m|rad))(?::[^}]+)?\}(?: m\b| rad\b)?/g;

interface Units {
  readonly length: LengthUnit;
  readonly angle: AngleUnit;
}

const units = new Store<Units | null>(null);
const follow = createSubscriber((update) => onChange(units, update));

/** Write lengths and angles in these units from now on; until then in metres and radians. */
export function setSaidUnits(length: LengthUnit, angle: AngleUnit): void {
  units.set({ length, angle });
}

export function wordsOf(words: Words): string {
  if (typeof words === "string") return words;
  const language = getLanguage();
  const key = `said.${words.code}`;
  const text = (dictionaryOf(language).texts as Known)[key];
  if (text === undefined) return words.text;
  const forms = formsOf(key);
  const values = Object.entries(words.values).map(([name, value]) => [
    name,
    name === "pointer" && typeof value === "string" ? placeIn(value) : written(value, forms.get(name)),
  ]);
  const own = typeof text === "string" && !IN_SI.has(words.code) ? inUnits(text, words.values) : text;
  return fill(own, Object.fromEntries(values) as Readonly<Record<string, string>>, language);
}

/**
 * The reason in a refused edit, without the place in the document that it names first: for where the person sees the
 * place. Where `items` are given, only a place in one of them is left out; one elsewhere has to be named.
 */
export function withoutPlace(words: Words, items?: readonly string[]): Words {
  if (typeof words === "string" || !PLACED.has(words.code)) return words;
  const { why, item } = words.values;
  if (items !== undefined && typeof item === "string" && !items.includes(item)) return words;
  return typeof why === "object" || typeof why === "string" ? withoutGuess(why) : words;
}

function withoutGuess(words: Words): Words {
  if (typeof words === "string" || !GUESSES.has(words.code)) return words;
  const { why } = words.values;
  return typeof why === "object" || typeof why === "string" ? why : words;
}

/** A text with its lengths and angles in the person's units. */
function inUnits(text: string, values: SaidMessage["values"]): string {
  follow();
  const now = units.value;
  if (now === null) return text;
  return text.replaceAll(QUANTITY, (place, name: string, kind: "m" | "rad") => {
    const value = values[name];
    if (typeof value !== "number") return place;
    const unit = kind === "m" ? LENGTH_UNITS[now.length] : ANGLE_UNITS[now.angle];
    const shown = String(Number(toUnit(value, unit).toPrecision(6))).replace(/^-/, MINUS);
    return `${shown}${unit.suffix === "°" ? "" : " "}${unit.suffix}`;
  });
}

/** A place in a document as people read it: `/pose/xyz/0` is " › x", `/shape/size` " › shape › size". */
function placeIn(pointer: string): string {
  const parts = pointer
    .replace(
      /\/(xyz|size|by)\/(\d)$/,
      (_, list: string, n: string) => `/${list === "size" ? "size/" : ""}${"xyz"[Number(n)]}`,
    )
    .split("/")
    .filter((part) => part !== "" && part !== "pose" && part !== "tcp");
  return parts.map((part) => ` › ${part.replace(/_(m|kg|s|rad)$/, "").replaceAll("_", " ")}`).join("");
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
