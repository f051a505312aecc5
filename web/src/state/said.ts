/**
 * What the server says, in the person's language. The server speaks English; what it says most often is known here by
 * its pattern. What is not known stays as it was said.
 */

import { getLanguage, t, type TextKey } from "./texts";
import sayings from "./texts/said.json";

const known = sayings.map(({ key, pattern }) => ({
  key: `said.${key}` as TextKey,
  pattern: new RegExp(pattern, "u"),
}));
/** Places that hold a sentence of their own. */
const INNER = ["why", "near", "what", "label", "now"];

export function inOwnWords(said: string): string {
  if (getLanguage() === "en") return said;
  for (const { key, pattern } of known) {
    const found = pattern.exec(said);
    if (found === null) continue;
    const values = Object.entries(found.groups ?? {}).map(([name, value]) => [
      name,
      INNER.includes(name) ? inOwnWords(value) : value,
    ]);
    return t(key, Object.fromEntries(values) as Readonly<Record<string, string>>);
  }
  return said;
}
