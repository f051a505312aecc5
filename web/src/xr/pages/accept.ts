/** The button that accepts something; why it does not, stands below it. */

import { t } from "../../state/texts";
import { type Row, row, text } from "../panel-content";

/** `blocked`: why it cannot be accepted now; empty: it can. */
export function acceptRows(blocked: string, act: () => void, words = t("headset.accept")): Row[] {
  const button = row({ kind: "button", id: "accept", text: words, tone: "primary", blocked, act });
  return blocked === "" ? [button] : [button, text(blocked, "warn")];
}
