/** What the view remembers of a person: whether the tool view is shown, and whether it may make a sound. */

import { onChange, Store } from "../../../state/shared/store";

/** A flag that writes itself down; storage may be forbidden, then it holds for this visit. */
export function rememberedFlag(name: string, usual: boolean): Store<boolean> {
  const key = `openpendant.view.${name}`;
  let start = usual;
  try {
    const kept = window.localStorage.getItem(key);
    if (kept === "true" || kept === "false") start = kept === "true";
  } catch {
    // May not be read; the usual value stands.
  }
  const flag = new Store(start);
  onChange(flag, (value) => {
    try {
      window.localStorage.setItem(key, String(value));
    } catch {
      // May not be written.
    }
  });
  return flag;
}
