/** Whether this browser can show the cell in a headset, and if not, why. */

import type { TextKey } from "../state/texts";

export type Immersion = "immersive-vr" | "immersive-ar";

export type Support = { readonly kind: Immersion } | { readonly why: TextKey };

/** What is asked of the browser; undefined: it knows no headsets. */
export type HeadsetSystem = Pick<XRSystem, "isSessionSupported">;

/** Virtual reality before the cell over the real room: whoever has both programs in the first. */
const WANTED: readonly Immersion[] = ["immersive-vr", "immersive-ar"];

/** `secure`: the page came by HTTPS or from this machine; elsewhere browsers hide headsets. */
export async function askSupport(system: HeadsetSystem | undefined, secure: boolean): Promise<Support> {
  if (!secure) return { why: "headset.why.insecure" };
  if (system === undefined) return { why: "headset.why.browser" };
  for (const kind of WANTED) if (await isSupported(system, kind)) return { kind };
  return { why: "headset.why.none" };
}

async function isSupported(system: HeadsetSystem, kind: Immersion): Promise<boolean> {
  try {
    return await system.isSessionSupported(kind);
  } catch {
    // A page that may not use headsets is told so by an error.
    return false;
  }
}
