/** What the server says, as a person reads it. */

import { MINUS } from "./numbers";

/** With a true minus, a capital letter and a full stop. */
export function asSentence(said: string): string {
  const text = said.replaceAll(/-(?=\d)/g, MINUS);
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return start === "" || /[.!?…]$/.test(start) ? start : `${start}.`;
}
