/** The browser's own memory; where it may not be used, one that keeps nothing. */

import type { Memory } from "../../state/preferences";

export function browserMemory(): Memory {
  try {
    return window.localStorage;
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}
