/** What every part of the interface can reach. */

import { getContext, setContext } from "svelte";
import type { Stage } from "../scene/stage";
import type { Preferences } from "../state/preferences";
import type { Session } from "../state/session";
import type { Store } from "../state/store";

export interface Context {
  readonly session: Session;
  readonly preferences: Preferences;
  /** The view; null until its canvas is there. */
  readonly stage: Store<Stage | null>;
  /** True where the dark theme is shown. */
  readonly dark: Store<boolean>;
  /** Which panel is drawn out over the view, on narrow screens. */
  readonly drawer: Store<"left" | "right" | null>;
  readonly sheetOpen: Store<boolean>;
}

const KEY = Symbol("openpendant");

export function provideContext(context: Context): void {
  setContext(KEY, context);
}

export function useContext(): Context {
  return getContext<Context>(KEY);
}
