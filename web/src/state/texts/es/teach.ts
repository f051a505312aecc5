import type { Text } from "../../texts";
import type { teach as english } from "../en/teach";

export const teach: Readonly<Record<keyof typeof english, Text>> = {
  "teach.title": "Enseñar",
  "teach.empty": "La herramienta y los ejes del robot que se enseña aparecen aquí.",
};
