import type { Text } from "../../texts";
import type { program as english } from "../en/program";

export const program: Readonly<Record<keyof typeof english, Text>> = {
  "program.title": "Programa",
  "program.empty": "Los pasos del programa abierto aparecen aquí.",
  "timeline.title": "Línea de tiempo",
  "timeline.empty": "Qué pasa y cuándo aparece aquí cuando un programa se ha comprobado.",
};
