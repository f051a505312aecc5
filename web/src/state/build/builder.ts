/** Building: everything that tree, library and inspector do to a cell. Each is one edit, and one undo. */

import type { Pose } from "../../wire/generated";
import type { Cell, CellItem, CellObject, CellTool, Command, ProjectEdit, Signal } from "../../wire/studio";
import { readThings, writeThings } from "./clipboard";
import { type Mount, mountCommands, toolFrom } from "./mounting";
import { addCommand, copyCommands, type Draft, reparent } from "./new-things";
import { dependentsOf, findThing, foldersOf, membersOf, namesOf } from "./tree";
import type { Memory } from "../shared/preferences";
import type { Project } from "../shared/project";
import { type Needs, needsOf, removalsOf } from "../program/references";
import { numbersOf } from "../program/steps";
import { freeName } from "../program/steps-new";
import { titleOf, titleOfNamed } from "../program/titles";
import { withoutPlace, type Words } from "../shared/said";
import { onChange, Store } from "../shared/store";
import { t } from "../texts";

/** A removal that was not made, and why. */
export interface Kept {
  readonly names: readonly string[];
  readonly reason: string;
  /** What would go too; empty: that would not help. */
  readonly along: readonly string[];
}

/** A value that was refused: of which field, and why. */
export interface Fault {
  readonly names: readonly string[];
  readonly field: string;
  readonly message: Words;
}

/** Before the name of a program that is being renamed: its key in the tree. */
const PROGRAM = "program:";

/** What was copied last, where the browser's own clipboard may not be read. */
let copied = "";

export class Building {
  /** Names of things that cannot be moved or changed by mistake. Of this browser alone. */
  readonly locked: Store<readonly string[]>;
  /** The removal that was refused last; null: none, or it was dealt with. */
  readonly kept = new Store<Kept | null>(null);
  /** A value that the server did not take; shown beside its field. */
  readonly fault = new Store<Fault | null>(null);
  /** The thing, or the key of the program, whose name is being written. */
  readonly renaming = new Store<string | null>(null);
  /** The group whose name is being written. */
  readonly renamingGroup = new Store<string | null>(null);

  constructor(
    readonly project: Project,
    private readonly memory: Memory,
  ) {
    this.locked = new Store(this.#readLocks());
    // What stood in the way may be gone: the thing itself, or that there was no link.
    onChange(project.cell, () => this.#forgetGone());
    onChange(project.link, () => {
      if (project.link.value === "open") this.fault.set(null);
    });
  }

  get #cell(): Cell {
    return this.project.cell.value;
  }

  isLocked(name: string): boolean {
    return this.locked.value.includes(name);
  }

  toggleLock(names: readonly string[]): void {
    const lock = names.some((name) => !this.isLocked(name));
    const others = this.locked.value.filter((name) => !names.includes(name));
    this.#setLocks(lock ? [...others, ...names] : others);
  }

  /** Put a new thing in, and select it. */
  async add(draft: Draft, more: readonly Command[] = []): Promise<boolean> {
    const command: Command =
      more.length === 0
        ? addCommand(draft)
        : {
            do: "batch",
            commands: [addCommand(draft), ...more],
            title: t("build.did.add", { name: draft.item.name }),
          };
    const done = await this.#edit(command);
    if (done) this.project.selection.set([draft.item.name]);
    return done;
  }

  /** Put a tool in, on an arm where there is one for it, with the output that works it. */
  async addTool(tool: CellTool, mount: Mount | null, output: Signal | null = null): Promise<boolean> {
    const commands: readonly Command[] = [
      ...(output === null ? [] : [addCommand({ section: "signals", item: output })]),
      addCommand({ section: "tools", item: tool }),
      ...(mount === null ? [] : mountCommands(this.#cell, tool.name, mount)),
    ];
    const done = await this.#edit(asOne(commands, t("build.did.add", { name: tool.name })));
    if (done) this.project.selection.set([tool.name]);
    return done;
  }

  async mount(tool: string, at: Mount): Promise<boolean> {
    const commands = mountCommands(this.#cell, tool, at);
    if (commands.length === 0) return false;
    return this.#edit(asOne(commands, t("build.did.mount", { tool, robot: at.robot })));
  }

  /** Make a part or obstacle a tool of the same name. */
  async makeTool(item: CellObject, mount: Mount | null): Promise<boolean> {
    if (this.#unlocked([item.name]).length === 0) return false;
    const commands: readonly Command[] = [
      { do: "remove", name: item.name },
      addCommand({ section: "tools", item: toolFrom(item) }),
      ...(mount === null ? [] : mountCommands(this.#cell, item.name, mount)),
    ];
    return this.#edit(asOne(commands, t("build.did.makeTool", { name: item.name })));
  }

  /** Give a field of one or more things another value. Locked ones stay as they are. */
  async set(names: readonly string[], field: string, value: unknown): Promise<boolean> {
    const free = this.#unlocked(names);
    if (free.length === 0) return false;
    const commands = free.map((name): Command => ({ do: "set", name, field, value }));
    return this.#enter(names, field, asOne(commands, t("build.did.set", { field, count: free.length })));
  }

  async move(name: string, pose: Pose): Promise<boolean> {
    return this.#unlocked([name]).length === 1 && this.#enter([name], "pose", { do: "move", name, pose });
  }

  /** Put another thing of the same name in; `field` is what the person has changed. */
  async replace(item: CellItem, field: string): Promise<boolean> {
    const { name } = item;
    return this.#unlocked([name]).length === 1 && this.#enter([name], field, { do: "replace", name, item });
  }

  /** Put things into another frame; they stay where they are in the world. */
  async putIn(names: readonly string[], frame: string): Promise<boolean> {
    const commands = this.#unlocked(names).flatMap((name) => reparent(this.#cell, name, frame) ?? []);
    if (commands.length === 0) return false;
    return this.#enter(
      names,
      "frame",
      asOne(commands, t("build.did.putAll", { count: commands.length, frame })),
    );
  }

  /** List things together under a name; without one, under a new name that can be written at once. */
  async group(names: readonly string[], folder?: string): Promise<boolean> {
    const there = names.filter((name) => findThing(this.#cell, name) !== null);
    if (there.length === 0) return false;
    const wanted = folder ?? freeName(t("build.name.group"), foldersOf(this.#cell));
    const listed = there.join(", ");
    const title =
      wanted === ""
        ? t("build.did.ungroup", { names: listed })
        : t("build.did.group", { names: listed, group: wanted });
    const commands = there.map((name): Command => ({ do: "set", name, field: "group", value: wanted }));
    const done = await this.#enter(there, "group", { do: "batch", commands, title });
    if (done && folder === undefined) this.renamingGroup.set(wanted);
    return done;
  }

  /** Give a group another name; where that is another group's, they become one. */
  async renameGroup(folder: string, newName: string): Promise<boolean> {
    const wanted = newName.trim();
    this.renamingGroup.set(null);
    if (wanted === "" || wanted === folder) return true;
    return this.group(membersOf(this.#cell, folder), wanted);
  }

  /** Rename; whoever refers to it follows. Selection and lock do too. */
  async rename(name: string, newName: string): Promise<boolean> {
    const wanted = newName.trim();
    this.renaming.set(null);
    if (wanted === "" || wanted === name) return true;
    const done = await this.#enter([name], "name", { do: "rename", name, new_name: wanted });
    if (!done) return false;
    const follow = (names: readonly string[]): readonly string[] =>
      names.map((one) => (one === name ? wanted : one));
    this.project.selection.set(follow(this.project.selection.value));
    if (this.isLocked(name)) this.#setLocks(follow(this.locked.value));
    return true;
  }

  /** Give a program another title. */
  async renameProgram(name: string, newTitle: string): Promise<boolean> {
    const title = newTitle.trim();
    const program = this.project.programs.value[name];
    this.renaming.set(null);
    if (program === undefined || title === "" || title === titleOf(program)) return true;
    const command = { do: "set", field: "title", value: title } as const;
    return this.project.edit({ edit: "program", program: name, command });
  }

  /** Move a thing up or down among its kind. */
  async reorder(name: string, index: number): Promise<boolean> {
    return this.#edit({ do: "reorder", name, index });
  }

  /** Take things out. Where something needs them, nothing goes; `kept` says why. */
  async remove(names: readonly string[], withDependents = false): Promise<boolean> {
    const free = this.#unlocked(names);
    if (free.length === 0) return false;
    const along = [...new Set(free.flatMap((name) => dependentsOf(this.#cell, name)))].filter(
      (one) => !free.includes(one),
    );
    const goes = [...new Set(free.flatMap((name) => [name, ...allDependents(this.#cell, name)]))];
    const needs = needsOf(goes, this.project.programs.value);
    const inPrograms = this.#listed(needs);
    if (!withDependents && along.length + inPrograms.length > 0) {
      this.kept.set({
        names: free,
        reason: whyKept(free, [...along, ...inPrograms]),
        along: [...new Set([...along, ...goes.filter((one) => !free.includes(one)), ...inPrograms])],
      });
      return false;
    }
    // What depends on a thing is not there any more when its own turn comes.
    const gone = new Set<string>();
    const commands: Command[] = [];
    for (const name of free) {
      if (gone.has(name)) continue;
      commands.push({ do: "remove", name, with_dependents: true });
      for (const one of allDependents(this.#cell, name)) gone.add(one);
    }
    const edits: ProjectEdit[] = [...removalsOf(needs)];
    edits.push({
      edit: "cell",
      command: asOne(commands, t("build.did.removeAll", { count: commands.length })),
    });
    const [only] = edits;
    const edit: ProjectEdit =
      edits.length === 1 && only !== undefined
        ? only
        : { edit: "together", edits, title: t("build.did.remove", { names: free.join(", ") }) };
    const done = await this.project.edit(edit);
    this.kept.set(null);
    if (done) this.project.selection.set(this.project.selection.value.filter((one) => !free.includes(one)));
    return done;
  }

  async duplicate(names: readonly string[]): Promise<boolean> {
    return this.#addCopies(this.#drafts(names), true);
  }

  /** The things as text, for the clipboard. */
  copy(names: readonly string[]): string {
    copied = writeThings(this.#cell, names);
    return copied;
  }

  /** Put in what is in a text; without one, what was copied here last. */
  async paste(text: string | null): Promise<boolean> {
    const drafts = (text === null ? null : readThings(text)) ?? readThings(copied);
    if (drafts === null) {
      this.project.complain(t("tree.paste.nothing"));
      return false;
    }
    const here = new Set(namesOf(this.#cell));
    return this.#addCopies(
      drafts,
      drafts.some(({ item }) => here.has(item.name)),
    );
  }

  async #addCopies(drafts: readonly Draft[], beside: boolean): Promise<boolean> {
    if (drafts.length === 0) return false;
    const { commands, names } = copyCommands(this.#cell, drafts, beside);
    const done = await this.#edit(asOne(commands, t("build.did.copy", { count: names.length })));
    if (done) this.project.selection.set(names);
    return done;
  }

  /** What programs need, for people: their titles, and their steps by number. */
  #listed({ programs, steps }: Needs): readonly string[] {
    const all = this.project.programs.value;
    const titled = (name: string): string => titleOfNamed(name, all);
    return [
      ...programs.map((name) => t("tree.kept.program", { program: titled(name) })),
      ...steps.flatMap(({ program, ids }) => {
        const numbers = all[program] === undefined ? new Map<string, string>() : numbersOf(all[program]);
        return ids.map((id) =>
          t("tree.kept.step", { step: numbers.get(id) ?? id, program: titled(program) }),
        );
      }),
    ];
  }

  #drafts(names: readonly string[]): readonly Draft[] {
    return names.flatMap((name): Draft | Draft[] => findThing(this.#cell, name) ?? []);
  }

  #unlocked(names: readonly string[]): readonly string[] {
    const free = names.filter((name) => !this.isLocked(name) && findThing(this.#cell, name) !== null);
    const [first] = names;
    if (free.length === 0 && first !== undefined) this.project.complain(t("tree.locked", { name: first }));
    return free;
  }

  /** Make an edit of a field; a refusal is shown there, not over the view. */
  async #enter(names: readonly string[], field: string, command: Command): Promise<boolean> {
    this.fault.set(null);
    const why = await this.project.attempt({ edit: "cell", command });
    if (why === null) return true;
    if (names.every((name) => findThing(this.#cell, name) === null)) {
      this.project.complain(t("tree.gone", { name: names.join(", ") }));
      return false;
    }
    this.fault.set({ names, field, message: withoutPlace(why, names) });
    return false;
  }

  /** A thing that somebody has deleted has no name to be written, and nothing to be said about it. */
  #forgetGone(): void {
    const isGone = (name: string): boolean => findThing(this.#cell, name) === null;
    if (this.fault.value?.names.every(isGone) === true) this.fault.set(null);
    if (this.kept.value?.names.some(isGone) === true) this.kept.set(null);
    const renamed = this.renaming.value;
    if (renamed === null) return;
    const program = renamed.startsWith(PROGRAM) ? renamed.slice(PROGRAM.length) : null;
    if (program === null ? isGone(renamed) : !(program in this.project.programs.value))
      this.renaming.set(null);
  }

  #edit(command: Command): Promise<boolean> {
    return this.project.edit({ edit: "cell", command });
  }

  get #key(): string {
    return `openpendant.locked.${this.project.id}`;
  }

  #readLocks(): readonly string[] {
    try {
      const names: unknown = JSON.parse(this.memory.getItem(this.#key) ?? "[]");
      return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
    } catch {
      return [];
    }
  }

  #setLocks(names: readonly string[]): void {
    this.locked.set(names);
    try {
      this.memory.setItem(this.#key, JSON.stringify(names));
    } catch {
      // No room or no permission: the locks then hold for this visit only.
    }
  }
}

/** One command of several; one alone keeps its own title. */
function asOne(commands: readonly Command[], title: string): Command {
  const [only] = commands;
  return commands.length === 1 && only !== undefined ? only : { do: "batch", commands, title };
}

function allDependents(cell: Cell, name: string): readonly string[] {
  const found = new Set<string>();
  const waiting = [name];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
    for (const next of dependentsOf(cell, one)) {
      // A robot only puts down a tool that goes.
      if (found.has(next) || (cell.robots ?? []).some((robot) => robot.name === next)) continue;
      found.add(next);
      waiting.push(next);
    }
  return [...found];
}

function whyKept(names: readonly string[], listed: readonly string[]): string {
  const shown = listed.slice(0, 4).join(", ");
  return t("tree.kept", {
    name: names.join(", "),
    by: listed.length > 4 ? t("tree.kept.more", { names: shown, count: listed.length - 4 }) : shown,
    count: names.length,
  });
}
