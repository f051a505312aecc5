/** A wait: seconds by a keypad, as a new step or of one that is there. */

import { kindWords } from "../../state/program/step-text";
import { t } from "../../state/texts";
import { type Button, type Row, row, text, title } from "../panel-content";
import { acceptRows } from "./accept";
import { type Key, KEYS, numberOf, typed } from "./keypad";
import type { Page, PageParts } from "./page";

/** `edited`: the step whose time is changed; null: a new one. */
export function waitPage(
  parts: PageParts,
  edited: { readonly id: string; readonly seconds: number } | null,
): Page {
  let shown = edited === null ? "" : String(edited.seconds);
  const type = (key: Key): void => {
    shown = typed(shown, key);
    parts.refresh();
  };
  const accept = async (): Promise<void> => {
    const seconds = numberOf(shown);
    if (seconds === null) return;
    if (edited !== null) {
      const why = await parts.steps.setField(edited.id, "seconds", seconds);
      if (why !== null) parts.project.complain(why);
      else parts.goBack();
    } else if (await parts.steps.insertActions([{ do: "wait", seconds }], parts.steps.spotAfter())) {
      parts.goBack();
    }
  };
  const key = (one: Key): Button => ({
    kind: "button",
    id: `key:${one}`,
    text: one === "delete" ? "⌫" : one,
    act: () => type(one),
  });
  return {
    name: "wait",
    rows: (): readonly Row[] => [
      title(kindWords("wait")),
      text(shown === "" ? t("headset.wait.none") : `${shown} s`, shown === "" ? "calm" : "plain"),
      ...KEYS.map((keys) => row(...keys.map(key))),
      ...acceptRows(
        numberOf(shown) === null ? t("headset.wait.none") : parts.refusal("engineer"),
        () => void accept(),
      ),
    ],
  };
}
