/** What the catalogue says of robots, their joints, tools and postures, in the person's language; imported robots say their own. */

import { dictionaryOf, t, type Text, type TextKey } from "../texts";

type PartKey = Extract<TextKey, `robot.part.${string}`>;

const isPart = (key: string): key is PartKey => key.startsWith("robot.part.");

/** The catalogue is English: its texts are found by their words. */
const english = dictionaryOf("en").texts;
const KEYS: ReadonlyMap<Text, PartKey> = new Map(
  Object.keys(english)
    .filter(isPart)
    .map((key) => [english[key], key]),
);

export function fromCatalogue(text: string): string {
  const [, words = text, number = ""] = /^(.+) (\d+)$/.exec(text) ?? [];
  const key = KEYS.get(number === "" ? text : `${words} {number}`);
  return key === undefined ? text : t(key, { number });
}
