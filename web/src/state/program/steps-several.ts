/** What several steps have in common, so that it can be changed in all of them at once. Pure. */

import type { Action, Program } from "../../wire/studio";
import { findStep } from "./steps";

/** Fields that one value makes sense in for several steps. */
export type SharedField = "speed" | "zone" | "slowly";

const USUAL: Readonly<Record<SharedField, string>> = { speed: "v200", zone: "fine", slowly: "v100" };

/** The steps among these that have a field; steps inside others count only where they are selected themselves. */
export function withField(program: Program, ids: readonly string[], field: SharedField): readonly Action[] {
  return ids.flatMap((id) => {
    const action = findStep(program, id)?.[0];
    return action !== undefined && has(action, field) ? [action] : [];
  });
}

/** What all of them have; null: they differ. */
export function sharedValue(actions: readonly Action[], field: SharedField): string | null {
  const values = new Set(actions.map((action) => valueOf(action, field)));
  const [only] = values;
  return values.size === 1 && only !== undefined ? only : null;
}

function has({ do: kind }: Action, field: SharedField): boolean {
  const handles = kind === "pick" || kind === "place";
  return handles || (field !== "slowly" && (kind === "go to" || kind === "move axis"));
}

function valueOf(action: Action, field: SharedField): string {
  const value = (action as unknown as Readonly<Record<string, unknown>>)[field];
  if (typeof value === "string") return value;
  return field === "zone" && (action.do === "pick" || action.do === "place") ? "z10" : USUAL[field];
}
