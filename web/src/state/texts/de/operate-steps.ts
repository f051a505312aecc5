import type { Text } from "../../texts";
import type { operateSteps as english } from "../en/operate-steps";

export const operateSteps: Readonly<Record<keyof typeof english, Text>> = {
  "operate.steps.step": "Schritt",
  "operate.steps.hint": "Einen Schritt ausführen, dann pausieren",
  "operate.steps.whole":
    "Die Robotersteuerung führt ein Programm immer als Ganzes aus; für Einzelschritte von hier aus führen",
  "operate.steps.from": "Bei Schritt {number} beginnen",
  "operate.steps.from.none": "Beim ausgewählten Schritt beginnen",
  "operate.steps.from.hint":
    "Es wird angenommen, dass Werkstücke dort sind, wo der letzte Ablauf sie gelassen hat. Die Bahn von hier wird zuerst geprüft.",
  "operate.run.resumeStopped": "Bei Schritt {number} fortsetzen",
  "operate.run.resumeStopped.hint":
    "Geht dort weiter, wo der Lauf gestoppt wurde; der Weg von hier wird vorher geprüft",
  "operate.run.notStopped": "Kein Lauf wurde gestoppt.",
  "operate.run.breakpoints.uploaded":
    "Die Steuerung des Roboters führt ein Programm als Ganzes aus und kann daher nicht an Haltepunkten pausieren. Zum Pausieren streamen.",
  "operate.resetParts": "Teile zurücksetzen",
  "operate.resetParts.hint":
    "Alle Teile gelten wieder als dort, wo die Zelle es sagt, aus jedem Greifer heraus. Nichts bewegt sich.",
  "operate.resetParts.none": "Alle Teile sind dort, wo die Zelle es sagt.",
  "operate.command.runFrom": "Ab dem ausgewählten Schritt ausführen",
  "operate.command.resumeStopped": "Gestoppten Lauf fortsetzen",
  "operate.popup.title": "Die Steuerung von {robot} fragt:",
  "operate.popup.seen": "Erledigt",
  "operate.popup.there": "Am Bedienpanel des Roboters beantworten.",
};
