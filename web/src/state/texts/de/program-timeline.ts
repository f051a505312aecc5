import type { Text } from "../../texts";
import type { programTimeline as english } from "../en/program-timeline";

export const programTimeline: Readonly<Record<keyof typeof english, Text>> = {
  "timeline.title": "Zeitachse",
  "timeline.empty": "Schritte hinzufügen, die den Roboter bewegen; hier erscheint, wie sie ablaufen.",
  "timeline.recording": "Der Ablauf wird berechnet…",
  "timeline.failed": "Der Ablauf kann nicht gezeigt werden: Das Programm lässt sich noch nicht prüfen.",
  "timeline.tab": "Was gezeigt wird",
  "timeline.tab.speed": "Werkzeuggeschwindigkeit",
  "timeline.tab.joints": "Achsen",
  "timeline.tab.clearance": "Abstand",
  "timeline.play": "Abspielen",
  "timeline.pause": "Pause",
  "timeline.playKey": "Zeitachse abspielen oder anhalten (Leertaste)",
  "timeline.zoomIn": "Vergrößern",
  "timeline.zoomOut": "Verkleinern",
  "timeline.all": "Alles zeigen",
  "timeline.time": "Zeit im Programm",
  "timeline.at": "{time} s von {of} s",
  "timeline.stale": "wird neu berechnet",
};
