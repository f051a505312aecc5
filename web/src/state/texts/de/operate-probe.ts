import type { Text } from "../../texts";
import type { operateProbe as english } from "../en/operate-probe";

export const operateProbe: Readonly<Record<keyof typeof english, Text>> = {
  "operate.probe": "Testen",
  "operate.probe.hint": "Nachsehen, was unter dieser Adresse ist; nichts bewegt sich",
  "operate.probe.of": "Verbindung zu {robot} testen",
  "operate.probe.looking": "{address} wird geprüft…",
  "operate.probe.unknownName":
    "Kein Gerät im Netz heißt {address}. Die Schreibweise prüfen oder die Nummer verwenden.",
  "operate.probe.noAnswer":
    "Unter {address} antwortet nichts. Ist der Roboter eingeschaltet und im selben Netz wie dieser Server?",
  "operate.probe.noWay": "Von diesem Server führt kein Weg zu {address}. Die Netzwerkeinstellungen prüfen.",
  "operate.probe.refused":
    "Unter {address} ist ein Gerät, aber keine Robotersteuerung antwortet. Stimmt die Adresse, und ist sie hochgefahren?",
  "operate.probe.stranger": "Was unter {address} antwortet, ist kein Roboter von Universal Robots.",
  "operate.probe.found": "{value} gefunden.",
  "operate.probe.otherModel":
    "Das ist ein {value}; die Zelle hat ein anderes Modell. Das Modell in Aufbauen oder die Adresse hier ändern.",
  "operate.probe.localControl":
    "Er ist in lokaler Steuerung. Oben rechts an seinem Bedienpanel die Fernsteuerung wählen.",
  "operate.probe.noPower": "Sein Arm ist stromlos ({value}). Am Bedienpanel einschalten.",
  "operate.probe.brakes": "Seine Bremsen sind geschlossen. Am Bedienpanel lösen.",
  "operate.probe.safety": "Seine Sicherheit meldet {value}. Das zuerst am Roboter beheben.",
  "operate.probe.anotherOwner": "Ein anderer Client hält ihn. Diesen zuerst schließen.",
  "operate.probe.noStates":
    "Er meldet keine Zustände (Port {value}). RTDE in seinen Diensten erlauben und nach einer Firewall dazwischen suchen.",
  "operate.probe.noScripts":
    "Er nimmt keine Programme an (Port {value}). Die Echtzeitschnittstelle in seinen Diensten erlauben.",
  "operate.probe.ready": "Er kann verbunden werden.",
  "operate.interrupted":
    "Der Server wurde neu gestartet, während Roboter verbunden waren. Sie wurden angehalten; das Projekt ist vollständig. Starten Sie sie wieder, wenn Sie bereit sind.",
  "operate.interrupted.run":
    "Der Server wurde neu gestartet, während {program} lief. Die Roboter wurden angehalten; das Projekt ist vollständig. Starten Sie sie wieder, wenn Sie bereit sind.",
};
