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
  "operate.popup.title": "Die Steuerung von {robot} fragt:",
  "operate.popup.seen": "Erledigt",
  "operate.popup.there": "Am Bedienpanel des Roboters beantworten.",
};
