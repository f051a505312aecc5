/**
 * The window that a controller shows on its own screen. Controllers tell when one opens, not when it is closed: it is
 * taken to be answered when somebody has pressed its button, or when the robot has gone on to something else.
 */

import type { Event } from "../wire/studio";

const OVER = new Set([
  "ready",
  "job started",
  "job done",
  "job failed",
  "job stopped",
  "connected",
  "closed",
  "lost",
  "process ended",
]);
const ANSWERS = new Set(["continue", "stop_popup"]);

/** The newest window that waits for an answer; null: there is none. */
export function openPopup(events: readonly Event[]): Event | null {
  const past = new Set<string>();
  for (const event of events.toReversed()) {
    if (event.kind === "popup" && !past.has(event.robot)) return event;
    if (endsPopup(event)) past.add(event.robot);
  }
  return null;
}

function endsPopup({ kind, about, message }: Event): boolean {
  return OVER.has(kind) || (kind === "person" && about === "press" && ANSWERS.has(message));
}
