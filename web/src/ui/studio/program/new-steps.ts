/** What the menu of new steps offers: each kind once, opening and closing the tool apart. */

import type { ActionKind } from "../../../state/program/steps";
import { ACTION_KINDS } from "../../../state/program/steps-new";
import { t } from "../../../state/texts";
import { search } from "../../fuzzy";

export interface NewStep {
  readonly kind: ActionKind;
  /** Of a step of the tool. */
  readonly state?: "open" | "close";
}

const ALL: readonly NewStep[] = ACTION_KINDS.flatMap((kind): readonly NewStep[] =>
  kind === "tool"
    ? [
        { kind, state: "open" },
        { kind, state: "close" },
      ]
    : [{ kind }],
);

export const titleOfNew = ({ kind, state }: NewStep): string =>
  t(state === undefined ? `step.kind.${kind}` : `step.tool.${state}`);

/** The steps that fit what was typed, the best first; all of them where nothing was. */
export const findNew = (wanted: string): readonly NewStep[] =>
  wanted.trim() === "" ? ALL : search(wanted, ALL, titleOfNew);
