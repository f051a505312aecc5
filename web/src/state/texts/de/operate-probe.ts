import type { Text } from "../../texts";
import type { operateProbe as english } from "../en/operate-probe";

export const operateProbe: Readonly<Record<keyof typeof english, Text>> = {
  "operate.probe": "Testen",
  "operate.probe.hint": "Nachsehen, was unter dieser Adresse ist; nichts bewegt sich",
  "operate.probe.of": "Verbindung zu {robot} testen",
  "operate.probe.looking": "{address} wird geprüft…",
  "operate.interrupted":
    "Der Server wurde neu gestartet, während Roboter verbunden waren. Sie wurden angehalten; das Projekt ist vollständig. Starten Sie sie wieder, wenn Sie bereit sind.",
  "operate.interrupted.run":
    "Der Server wurde neu gestartet, während {program} lief. Die Roboter wurden angehalten; das Projekt ist vollständig. Starten Sie sie wieder, wenn Sie bereit sind.",
};
