/** Keypad: a number that is typed key by key; nothing that can be typed breaks anything. Pure. */

export type Key = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "." | "delete";

export const KEYS: readonly (readonly Key[])[] = [
  ["7", "8", "9"],
  ["4", "5", "6"],
  ["1", "2", "3"],
  [".", "0", "delete"],
];
const MOST_CHARACTERS = 8;

/** What stands there after a key. */
export function typed(text: string, key: Key): string {
  if (key === "delete") return text.slice(0, -1);
  if (text.length >= MOST_CHARACTERS || (key === "." && text.includes("."))) return text;
  if (key === ".") return text === "" ? "0." : `${text}.`;
  return text === "0" ? key : text + key;
}

/** The number that stands there; null: none yet. */
export function numberOf(text: string): number | null {
  return /^\d+(\.\d*)?$/.test(text) ? Number(text) : null;
}
