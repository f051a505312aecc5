/** GhostCheck: what is known of where the ghost stands: whether the arm reaches it, and what it touches. */

import type { Teaching } from "../../state/teach/teacher";
import { asSentence } from "../../state/shared/sentences";
import { t } from "../../state/texts";
import { plain } from "../../scene/cell-ghost";
import type { Tone } from "../panel-content";

export interface GhostCheck {
  /** "waiting": the server has not said yet; "refused": the arm cannot be there. */
  readonly state: "none" | "waiting" | "refused" | "touches" | "clear";
  readonly words: string;
  readonly tone: Tone;
}

/** `write`: lengths in the person's unit. */
export function checkGhost(teaching: Teaching, write: (metres: number) => string): GhostCheck {
  const taught = teaching.taught.value;
  if (taught === null) {
    const words = t(teaching.choice.value === null ? "teach.noRobot" : "teach.waiting");
    return { state: "none", words, tone: "calm" };
  }
  const unreached = taught.control.unreached.value;
  if (unreached !== null)
    return {
      state: "refused",
      words: asSentence(unreached.reason),
      tone: "stop",
    };
  const nearness = teaching.nearness.value;
  if (!taught.control.resting || taught.control.dragging.value || nearness === null)
    return { state: "waiting", words: t("headset.check.waiting"), tone: "calm" };
  const { near, touches } = nearness;
  if (near === null) return { state: "clear", words: t("teach.reach.yes"), tone: "good" };
  const name = `${plain(near.a)} · ${plain(near.b)}`;
  return touches
    ? { state: "touches", words: t("view.touches", { name }), tone: "stop" }
    : {
        state: "clear",
        words: `${t("teach.reach.yes")} · ${t("view.nearest", { distance: write(near.distance_m), name })}`,
        tone: "good",
      };
}

/** Why what the check says cannot be accepted; empty: it can. Touching is shown in red, and may be meant, as in a grip. */
export function whyNotAccepted({ state, words }: GhostCheck): string {
  return state === "clear" || state === "touches" ? "" : words;
}
