/** Commands: everything that can be done, in one list for the keyboard, the buttons' hints and the palette. */

import { Store } from "../state/shared/store";

export type CommandGroup =
  | "project"
  | "edit"
  | "mode"
  | "cell"
  | "build"
  | "teach"
  | "program"
  | "operate"
  | "tool"
  | "arm"
  | "view"
  | "page";

/** The order in which the list of keys shows them. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  "project",
  "edit",
  "mode",
  "cell",
  "build",
  "teach",
  "program",
  "operate",
  "tool",
  "arm",
  "view",
  "page",
];

export interface Command {
  /** Unique, such as "view.fit". */
  readonly id: string;
  /** In the person's language, asked for each time it is shown. */
  readonly title: () => string;
  readonly group: CommandGroup;
  /** As written on the key: "W", "Ctrl+Z", "?". */
  readonly keys?: readonly string[];
  /** The key that does it where the list that it is about has the focus; menus show it. */
  readonly keysHere?: string;
  readonly run: () => void;
  /** Why it cannot be done now, in a sentence; null: it can. */
  readonly blocked?: () => string | null;
  /** Other words by which people look for it. */
  readonly also?: () => string;
  /** True where its keys hold in text fields too; "settled": in those in which nothing has been typed yet. */
  readonly whileTyping?: boolean | "settled";
  /** True where its keys hold always: also in dialogs, and whatever else listens to them. */
  readonly urgent?: boolean;
  /** False where a neighbour in the list stands for it. */
  readonly listed?: boolean;
}

export class CommandRegistry {
  readonly all = new Store<readonly Command[]>([]);

  /** Add commands; return how to take them out again. Of two with the same key, the later one has it. */
  register(commands: readonly Command[]): () => void {
    const added = new Set(commands);
    this.all.set([...this.all.value, ...commands]);
    return () => this.all.set(this.all.value.filter((command) => !added.has(command)));
  }

  withKey(key: string): Command | undefined {
    return this.all.value.findLast(({ keys }) => keys?.includes(key));
  }

  withId(id: string): Command | undefined {
    return this.all.value.findLast((command) => command.id === id);
  }
}

/** Write a key press the way commands do: "Ctrl+Shift+Z", "W", "?". */
export function keyName(event: KeyboardEvent): string {
  // With Alt, some keyboards write another sign than the digit that is on the key.
  const digit = event.altKey ? /^Digit(\d)$/.exec(event.code)?.[1] : undefined;
  const key = digit ?? (event.key.length === 1 ? event.key.toUpperCase() : event.key);
  const control = event.ctrlKey || event.metaKey;
  // Shift is part of a sign such as "?", but a modifier of a letter or of a key with a name.
  const shift = event.shiftKey && (control || /^[A-Z]$/.test(key) || key.length > 1);
  return `${control ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${key}`;
}

/** Remembers what is being typed: from the first letter until it is taken, or the field is left. */
export class TypedFields {
  readonly #typed = new WeakSet();

  /** A letter was typed. */
  note(field: EventTarget | null): void {
    if (field !== null) this.#typed.add(field);
  }

  /** What was typed was taken, or given up. */
  settle(field: EventTarget | null): void {
    if (field !== null) this.#typed.delete(field);
  }

  /** Whether a key press in a text field is for a command, and not for the text. */
  yieldsTo(field: EventTarget | null, { whileTyping = false }: Command): boolean {
    return whileTyping === true || (whileTyping === "settled" && field !== null && !this.#typed.has(field));
  }
}

/** True where a key press belongs to a text field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["range", "checkbox", "radio", "button"].includes(target.type);
  return (
    target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement || target.isContentEditable
  );
}
