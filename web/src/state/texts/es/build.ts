import type { Text } from "../../texts";
import type { build as english } from "../en/build";

export const build: Readonly<Record<keyof typeof english, Text>> = {
  "build.title": "Biblioteca",
  "build.empty": "Lo que se puede poner en la celda aparece aquí.",
  "tree.title": "Celda",
  "tree.empty": "Lo que hay en la celda aparece aquí.",
  "inspector.title": "Selección",
  "inspector.empty": "Seleccione algo en la vista o en la lista; sus números aparecen aquí.",
};
