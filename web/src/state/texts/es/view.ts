import type { Text } from "../../texts";
import type { view as english } from "../en/view";

export const view: Readonly<Record<keyof typeof english, Text>> = {
  "view.label": "Vista de la celda",
  "view.none": "Este navegador no puede dibujar la celda: WebGL está desactivado o no existe.",
  "view.robotFailed": "No se pudo mostrar el robot {name}.",
  "view.meshFailed": "No se pudo mostrar la malla {file} de {name}.",
};
