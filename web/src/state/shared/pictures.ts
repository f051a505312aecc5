/** Pictures: how projects looked when this browser last left them, for the list of projects. */

import { type Memory, remembered } from "./preferences";
import type { Store } from "./store";

export interface Picture {
  readonly project: string;
  /** An address of image data. */
  readonly data: string;
}

/** Older ones are forgotten: browsers give little room. */
export const MOST_PICTURES = 24;
/** Larger ones are no small pictures. */
const LONGEST = 60_000;

export class Pictures {
  /** The newest last. */
  readonly all: Store<readonly Picture[]>;

  constructor(memory: Memory) {
    this.all = remembered(memory, "pictures", [], arePictures);
  }

  keep(project: string, data: string | null): void {
    if (data === null || data.length > LONGEST || !isImage(data)) return;
    const others = this.all.value.filter((one) => one.project !== project);
    this.all.set([...others, { project, data }].slice(-MOST_PICTURES));
  }
}

/** The picture of a project; "": there is none. */
export const pictureOf = (all: readonly Picture[], project: string): string =>
  all.find((one) => one.project === project)?.data ?? "";

const isImage = (data: string): boolean => /^data:image\/(webp|png|jpeg);base64,[\w+/=]+$/.test(data);

function arePictures(value: unknown): value is readonly Picture[] {
  if (!Array.isArray(value)) return false;
  return value.every((one: unknown) => {
    if (typeof one !== "object" || one === null) return false;
    const { project, data } = one as Partial<Record<keyof Picture, unknown>>;
    return typeof project === "string" && typeof data === "string" && isImage(data);
  });
}
