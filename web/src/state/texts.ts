/**
 * What the page says, in the person's language. `t("key")` in a component is rewritten when the language changes.
 *
 * Another language is one more folder in `texts/`, with the same keys: nothing else has to know of it.
 */

import { createSubscriber } from "svelte/reactivity";
import { onChange, Store } from "./shared/store";
import { texts as english, title as englishTitle } from "./texts/en";

export type TextKey = keyof typeof english;
/** A sentence with places as `{name}`; with several forms where it depends on `count`. */
export type Text =
  string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;
export type Texts = Readonly<Record<TextKey, Text>>;

interface Dictionary {
  /** The language in its own words. */
  readonly title: string;
  readonly texts: Texts;
}

/** The name of a folder in `texts/`, as "en". */
export type Language = string;

const folders: Readonly<Record<string, Dictionary>> = import.meta.glob<Dictionary>("./texts/*/index.ts", {
  eager: true,
});

const ENGLISH: Dictionary = { title: englishTitle, texts: english };

/** English first. */
export const LANGUAGES: Readonly<Record<Language, Dictionary>> = {
  en: ENGLISH,
  ...Object.fromEntries(
    Object.entries(folders).map(([path, { title, texts }]) => [path.split("/")[2] ?? "", { title, texts }]),
  ),
};

export const dictionaryOf = (language: Language): Dictionary => LANGUAGES[language] ?? ENGLISH;

export const isLanguage = (value: unknown): value is Language =>
  typeof value === "string" && Object.hasOwn(LANGUAGES, value);

/** The first of the languages that a person reads, such as "es-CO", that there is; else English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  return wanted.map((one) => one.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

const chosen = new Store<Language>("en");
const follow = createSubscriber((update) => onChange(chosen, update));

export function setLanguage(language: Language): void {
  chosen.set(language);
}

export function getLanguage(): Language {
  follow();
  return chosen.value;
}

/** The sentence `key` with `values` in its places. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(dictionaryOf(getLanguage()).texts[key], values, chosen.value);
}

export function fill(
  text: Text,
  values: Readonly<Record<string, string | number>>,
  language: string,
): string {
  let sentence = text;
  if (typeof sentence !== "string") {
    const form = new Intl.PluralRules(language).select(Number(values["count"] ?? 0));
    sentence = sentence[form] ?? sentence.other;
  }
  return sentence.replaceAll(/\{(\w+)(?::[^}]*)?\}/g, (place, name: string) => String(values[name] ?? place));
}

/** "3 minutes ago", in the person's language. */
export function ago(seconds: number): string {
  const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
    ["second", 60],
    ["minute", 60],
    ["hour", 24],
    ["day", 30],
    ["month", 12],
    ["year", Infinity],
  ];
  let value = Math.max(0, Math.round(seconds));
  for (const [unit, many] of steps) {
    if (value < many)
      return new Intl.RelativeTimeFormat(getLanguage(), { numeric: "auto" }).format(-value, unit);
    value = Math.floor(value / many);
  }
  return "";
}
