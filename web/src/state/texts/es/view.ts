import type { Text } from "../../texts";
import type { view as english } from "../en/view";

export const view: Readonly<Record<keyof typeof english, Text>> = {
  "view.label": "Vista de la celda",
  "view.none": "La imagen de la celda aparece aquí.",
};
