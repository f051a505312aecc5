/** Notices: what the person must know on whatever page they are: a lost link, what could not be done, what became of a STOP. */

import type { StopLevel } from "../state/operate/stop-news";
import type { Project } from "../state/shared/project";
import { t } from "../state/texts";
import { type Row, text, type Tone } from "./panel-content";

const TONES: Readonly<Record<StopLevel, Tone>> = { alert: "stop", warn: "warn", calm: "good" };

/** What became of the last STOP, a line for each robot. */
export function stopRows({ stops }: Project): readonly Row[] {
  return stops.lines.value.map(({ level, words }) => text(words, TONES[level]));
}

/** What stands below every menu. */
export function noticeRows(project: Project): readonly Row[] {
  const complaint = project.complaint.value;
  return [
    ...(project.link.value === "open" ? [] : [text(t("headset.noLink"), "stop")]),
    ...(complaint === null ? [] : [text(complaint, "stop")]),
  ];
}
