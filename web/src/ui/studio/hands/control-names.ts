/** What a person calls a control of a pad. */

import { PAD_CONTROLS } from "../../../input/gamepad-device";
import { t } from "../../../state/texts";

/** In their language where it is known by its place, else by its number. */
export function controlName(control: string): string {
  const known = PAD_CONTROLS.find((one) => one === control);
  return known === undefined ? control : t(`pad.at.${known}`);
}
