import type { Text } from "../../texts";
import type { operateProbe as english } from "../en/operate-probe";

export const operateProbe: Readonly<Record<keyof typeof english, Text>> = {
  "operate.probe": "Probar",
  "operate.probe.hint": "Comprueba qué hay en esta dirección; nada se mueve",
  "operate.probe.of": "Probar la conexión con {robot}",
  "operate.probe.looking": "Comprobando {address}…",
  "operate.interrupted":
    "El servidor se reinició con robots conectados. Los robots se detuvieron; el proyecto está completo. Inícialos otra vez cuando quieras.",
  "operate.interrupted.run":
    "El servidor se reinició mientras {program} se ejecutaba. Los robots se detuvieron; el proyecto está completo. Inícialos otra vez cuando quieras.",
};
