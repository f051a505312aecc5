/** KeptViews: places to look from that a person has named, for each project. Of this browser alone. */

import type { Memory } from "./preferences";
import type { Vector } from "./rotations";
import { Store } from "./store";

/** What is looked at, and where the eye stands from there; the cell's world, metres. */
export interface KeptView {
  readonly name: string;
  readonly target: Vector;
  readonly offset: Vector;
}

const MOST = 20;
const LONGEST = 40;

export class KeptViews {
  readonly all: Store<readonly KeptView[]>;

  constructor(
    private readonly memory: Memory,
    private readonly project: string,
  ) {
    this.all = new Store(this.#read());
  }

  /** Keep a view; one of the same name is replaced, the oldest goes where there are too many. */
  keep(view: KeptView): void {
    const name = view.name.trim().slice(0, LONGEST);
    if (name === "") return;
    const others = this.all.value.filter((one) => one.name !== name);
    this.#set([...others, { ...view, name }].slice(-MOST));
  }

  forget(name: string): void {
    this.#set(this.all.value.filter((one) => one.name !== name));
  }

  get #key(): string {
    return `openpendant.views.${this.project}`;
  }

  #set(views: readonly KeptView[]): void {
    this.all.set(views);
    try {
      this.memory.setItem(this.#key, JSON.stringify(views));
    } catch {
      // No room or no permission: the views then hold for this visit only.
    }
  }

  #read(): readonly KeptView[] {
    try {
      const kept: unknown = JSON.parse(this.memory.getItem(this.#key) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isView).slice(-MOST) : [];
    } catch {
      return [];
    }
  }
}

function isView(value: unknown): value is KeptView {
  if (typeof value !== "object" || value === null) return false;
  const { name, target, offset } = value as Partial<Record<keyof KeptView, unknown>>;
  return typeof name === "string" && isVector(target) && isVector(offset);
}

function isVector(value: unknown): value is Vector {
  return Array.isArray(value) && value.length === 3 && value.every((one) => Number.isFinite(one));
}
