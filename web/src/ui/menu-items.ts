/** What a menu offers: commands by their ids, so that a menu, a key and the palette do the same. */

import type { Command, CommandRegistry } from "./commands";

export interface MenuItem {
  readonly id: string;
  readonly title: string;
  readonly keys?: string;
  readonly run: () => void;
  readonly disabled?: boolean;
  /** Why it cannot be done now, or what it does. */
  readonly hint?: string;
}

/** A line between items is `null`. */
export type MenuEntry = MenuItem | null;

export function itemOf(command: Command): MenuItem {
  const blocked = command.blocked?.() ?? null;
  const keys = command.keysHere ?? command.keys?.[0];
  return {
    id: command.id.replaceAll(".", "-"),
    title: command.title(),
    run: command.run,
    disabled: blocked !== null,
    ...(keys === undefined ? {} : { keys }),
    ...(blocked === null ? {} : { hint: blocked }),
  };
}

/** The commands of some ids that are there, with lines where `ids` has "-"; no line begins, ends or doubles another. */
export function menuOf(registry: CommandRegistry, ids: readonly string[]): readonly MenuEntry[] {
  return tidy(
    ids.flatMap((id): readonly MenuEntry[] => {
      if (id === "-") return [null];
      const command = registry.withId(id);
      return command === undefined ? [] : [itemOf(command)];
    }),
  );
}

/** Leave out lines that divide nothing. */
export function tidy(entries: readonly MenuEntry[]): readonly MenuEntry[] {
  const kept = entries.filter((one, i) => one !== null || (i > 0 && entries[i - 1] !== null));
  return kept.at(-1) === null ? kept.slice(0, -1) : kept;
}
