import type { Text } from "../../texts";
import type { programTimeline as english } from "../en/program-timeline";

export const programTimeline: Readonly<Record<keyof typeof english, Text>> = {
  "timeline.title": "Línea de tiempo",
  "timeline.empty": "Añade pasos que muevan el robot; aquí aparece cómo transcurren.",
  "timeline.recording": "Calculando cómo transcurre…",
  "timeline.failed": "No se puede mostrar cómo transcurre: el programa aún no se puede comprobar.",
  "timeline.tab": "Qué se muestra",
  "timeline.tab.speed": "Velocidad",
  "timeline.tab.joints": "Ejes",
  "timeline.tab.clearance": "Distancia",
  "timeline.play": "Reproducir",
  "timeline.pause": "Pausa",
  "timeline.playKey": "Reproducir o pausar la línea de tiempo (espacio)",
  "timeline.zoomIn": "Ampliar",
  "timeline.zoomOut": "Reducir",
  "timeline.all": "Mostrar todo",
  "timeline.time": "Tiempo en el programa",
  "timeline.at": "{time} s de {of} s",
  "timeline.stale": "se está recalculando",
};
