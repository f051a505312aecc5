/** The memory of the browser, and of this tab alone; where they may not be used, one that keeps nothing. */

import type { Memory } from "../../../state/shared/preferences";

export const browserMemory = (): Memory => memoryOf("localStorage");

export const tabMemory = (): Memory => memoryOf("sessionStorage");

function memoryOf(which: "localStorage" | "sessionStorage"): Memory {
  try {
    return window[which];
  } catch {
    return { getItem: () => null, setItem: () => undefined };
  }
}
