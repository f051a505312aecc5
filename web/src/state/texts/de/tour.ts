import type { Text } from "../../texts";
import type { tour as english } from "../en/tour";

export const tour: Readonly<Record<keyof typeof english, Text>> = {
  "tour.label": "Rundgang",
  "tour.step": "Schritt {n} von {of}",
  "tour.skip": "Überspringen",
  "tour.back": "Zurück",
  "tour.next": "Weiter",
  "tour.done": "Beginnen",
  "tour.build.title": "1 · Die Zelle aufbauen",
  "tour.build.text":
    "Alles, was in der Zelle steht, ist in dieser Liste: Roboter, Werkzeuge, Werkstücke, Hindernisse. Weitere hinzufügen, zum Auswählen anklicken, in der Ansicht ziehen.",
  "tour.teach.title": "2 · Punkte teachen",
  "tour.teach.text":
    "Den Roboter am Werkzeug ziehen oder Achse für Achse bewegen. Wohin er später fahren soll, einen Punkt teachen.",
  "tour.program.title": "3 · Das Programm schreiben",
  "tour.program.text":
    "Schritte sind Sätze. Nach jeder Änderung wird das Programm geprüft; fehlerhafte Schritte werden markiert, mit Vorschlägen zur Korrektur.",
  "tour.operate.title": "4 · Laufen lassen",
  "tour.operate.text":
    "Einen virtuellen Roboter starten oder einen echten verbinden und das Programm ausführen. STOPP ist immer hier oben; ebenso die Tasten Pause und Shift+Esc.",
  "tour.help.title": "5 · Alles finden",
  "tour.help.text":
    "Ctrl+K findet jeden Befehl mit wenigen Buchstaben; ? zeigt alle Tasten. Alles lässt sich mit Ctrl+Z rückgängig machen.",
};
