/** What the page remembers about a person: name, language, theme, units, which panels are open and how large. */

import type { RotationStyle } from "./rotations";
import { onChange, Store } from "./store";
import { chooseLanguage, isLanguage, type Language } from "../texts";
import type { AngleUnit, LengthUnit } from "./units";

export type Theme = "system" | "light" | "dark";
/** Of the page's texts and all that goes with them, in percent of the usual size. */
export type TextSize = "100" | "115" | "130" | "150";
export const TEXT_SIZES: readonly TextSize[] = ["100", "115", "130", "150"];
export type PanelSide = "left" | "right";
export type StudioSide = PanelSide | "bottom";
/** A part of the screen whose size a person chooses: `steps` is the column beside the view, `form` what is below it. */
export type SizedPart = StudioSide | "steps" | "form" | "timeline";

export interface PanelSize {
  /** Across the edge that is dragged; the height of a panel at the bottom. CSS pixels. */
  readonly width: number;
  readonly open: boolean;
}

/** The part of the browser's Storage that is used. */
export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export const STUDIO_WIDTHS = {
  left: { smallest: 200, usual: 248, largest: 480 },
  right: { smallest: 264, usual: 312, largest: 520 },
  bottom: { smallest: 120, usual: 248, largest: 620 },
  steps: { smallest: 320, usual: 468, largest: 900 },
  form: { smallest: 96, usual: 240, largest: 620 },
  timeline: { smallest: 112, usual: 176, largest: 480 },
} as const satisfies Readonly<Record<SizedPart, unknown>>;

/** How long a name may be; the server refuses longer ones. */
export const LONGEST_NAME = 60;

/** A store that writes itself down, and starts with what was written if that is still allowed. */
export function remembered<T>(
  memory: Memory,
  name: string,
  usual: T,
  allowed: (value: unknown) => value is T,
): Store<T> {
  const key = `openpendant.${name}`;
  let start = usual;
  try {
    const kept: unknown = JSON.parse(memory.getItem(key) ?? "null");
    if (allowed(kept)) start = kept;
  } catch {
    // What was written is damaged or may not be read; the usual value stands.
  }
  const store = new Store(start);
  onChange(store, (value) => {
    try {
      memory.setItem(key, JSON.stringify(value));
    } catch {
      // No room or no permission: the choice then holds for this visit only.
    }
  });
  return store;
}

export function oneOf<const T extends string>(...values: readonly T[]): (value: unknown) => value is T {
  return (value): value is T => values.some((one) => one === value);
}

function isPanelSize(value: unknown): value is PanelSize {
  if (typeof value !== "object" || value === null) return false;
  const size = value as Partial<Record<keyof PanelSize, unknown>>;
  return typeof size.width === "number" && size.width > 0 && typeof size.open === "boolean";
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST_NAME;
}

function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

export class Preferences {
  /** What others see; "" until it was asked for. */
  readonly name: Store<string>;
  /** True where it need not be asked for again. */
  readonly nameAsked: Store<boolean>;
  readonly language: Store<Language>;
  readonly theme: Store<Theme>;
  readonly textSize: Store<TextSize>;
  readonly angle: Store<AngleUnit>;
  readonly length: Store<LengthUnit>;
  readonly rotation: Store<RotationStyle>;
  readonly studioPanels: Readonly<Record<SizedPart, Store<PanelSize>>>;
  /** In Program, the list of steps stands beside the view, as high as the screen; else below it. */
  readonly stepsBeside: Store<boolean>;
  /** Rows of the list of steps are as low as they can be read. */
  readonly compact: Store<boolean>;
  /** True where the tour was taken or skipped. */
  readonly toured: Store<boolean>;
  /** Names of the sections of the panels that are folded away. */
  readonly folded: Store<readonly string[]>;

  constructor(memory: Memory, languages: readonly string[] = []) {
    this.name = remembered(memory, "name", "", isText);
    this.nameAsked = remembered(memory, "nameAsked", false, isFlag);
    this.language = remembered(memory, "language", chooseLanguage(languages), isLanguage);
    this.toured = remembered(memory, "toured", false, isFlag);
    this.theme = remembered(memory, "theme", "system", oneOf<Theme>("system", "light", "dark"));
    this.textSize = remembered(memory, "textSize", "100", oneOf<TextSize>(...TEXT_SIZES));
    this.angle = remembered(memory, "angle", "deg", oneOf<AngleUnit>("deg", "rad"));
    this.length = remembered(memory, "length", "mm", oneOf<LengthUnit>("mm", "m", "in"));
    this.rotation = remembered(
      memory,
      "rotation",
      "rpy",
      oneOf<RotationStyle>("rpy", "quaternion", "vector", "zyz"),
    );
    const studio = (part: SizedPart): Store<PanelSize> =>
      remembered(memory, `studio.${part}`, { width: STUDIO_WIDTHS[part].usual, open: true }, isPanelSize);
    this.studioPanels = {
      left: studio("left"),
      right: studio("right"),
      bottom: studio("bottom"),
      steps: studio("steps"),
      form: studio("form"),
      timeline: studio("timeline"),
    };
    this.stepsBeside = remembered(memory, "steps.beside", true, isFlag);
    this.compact = remembered(memory, "steps.compact", false, isFlag);
    this.folded = remembered(memory, "folded", [], isNameList);
  }

  toggleFold(section: string): void {
    const folded = this.folded.value;
    this.folded.set(
      folded.includes(section) ? folded.filter((name) => name !== section) : [...folded, section],
    );
  }
}
