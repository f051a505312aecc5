/** Demo cells in the person's language. */

import { t } from "../../state/texts";
import type { DemoInfo } from "../../wire/generated";

const TRANSLATED = ["bench", "pick_and_place", "two_arms", "weld_a_box"] as const;

/** Title and notes; in the cell's own words where it is none that comes along. */
export function demoWords({ name, title, notes }: DemoInfo): {
  readonly title: string;
  readonly notes: string;
} {
  const one = TRANSLATED.find((known) => known === name);
  if (one === undefined) return { title, notes };
  return { title: t(`welcome.demo.${one}.title`), notes: t(`welcome.demo.${one}.notes`) };
}
