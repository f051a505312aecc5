/** Fuzzy search: how well typed letters fit a title. */

const START_OF_WORD = 8;
const IN_A_ROW = 5;
const WHOLE_PIECE = 20;

/** Small letters without accents. */
const plain = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** How well `wanted` fits `text`: higher is better; null where its letters are not all there, in that order. */
export function fit(wanted: string, text: string): number | null {
  const letters = plain(wanted).replaceAll(/\s+/g, " ").trim();
  const title = plain(text);
  if (letters === "") return 0;
  const piece = title.indexOf(letters);
  if (piece >= 0) {
    const starts = piece === 0 || !/[\p{L}\p{N}]/u.test(title.charAt(piece - 1));
    return WHOLE_PIECE * letters.length + (starts ? START_OF_WORD : 0) - title.length / 100;
  }
  let score = 0;
  let at = -1;
  for (const letter of letters) {
    if (letter === " ") continue;
    const found = bestPlace(title, letter, at);
    if (found < 0) return null;
    if (found === at + 1) score += IN_A_ROW;
    if (found === 0 || !/[\p{L}\p{N}]/u.test(title.charAt(found - 1))) score += START_OF_WORD;
    at = found;
  }
  return score - title.length / 100;
}

/** The place of a letter after `from`: the next one where it follows at once, else a word's start if there is one. */
function bestPlace(title: string, letter: string, from: number): number {
  const next = title.indexOf(letter, from + 1);
  if (next === from + 1 || next < 0) return next;
  for (let i = next; i >= 0; i = title.indexOf(letter, i + 1))
    if (i === 0 || !/[\p{L}\p{N}]/u.test(title.charAt(i - 1))) return i;
  return next;
}

/** Those that fit, the best first; equals in their own order. */
export function search<T>(wanted: string, all: readonly T[], textOf: (one: T) => string): readonly T[] {
  return all
    .map((one) => ({ one, score: fit(wanted, textOf(one)) }))
    .filter((found): found is { one: T; score: number } => found.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ one }) => one);
}
