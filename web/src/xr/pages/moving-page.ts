/** Where the person is: at true scale or before a model, back at the start, or at a place that is pointed at. */

import { t } from "../../state/texts";
import { row, text, title } from "../panel-content";
import type { Page } from "./page";

export interface MovingParts {
  readonly showAsModel: () => void;
  readonly showTrue: () => void;
  readonly goToStart: () => void;
  /** The next press on the floor brings the person there. */
  readonly aimTeleport: () => void;
}

export function movingPage(parts: MovingParts): Page {
  return {
    name: "moving",
    rows: () => [
      title(t("headset.moving")),
      text(t("headset.moving.how"), "calm"),
      row(
        { kind: "button", id: "true", text: t("headset.moving.true"), act: () => parts.showTrue() },
        { kind: "button", id: "model", text: t("headset.moving.model"), act: () => parts.showAsModel() },
      ),
      row(
        {
          kind: "button",
          id: "teleport",
          text: t("headset.moving.teleport"),
          act: () => parts.aimTeleport(),
        },
        { kind: "button", id: "start", text: t("headset.moving.start"), act: () => parts.goToStart() },
      ),
    ],
  };
}
