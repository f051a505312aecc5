import type { Text } from "../../texts";
import type { programExport as english } from "../en/program-export";

export const programExport: Readonly<Record<keyof typeof english, Text>> = {
  "export.title": "Exportieren",
  "export.of": "{title} exportieren",
  "export.form": "Sprache",
  "export.form.rapid": "RAPID",
  "export.form.urscript": "URScript",
  "export.form.vplus": "V+",
  "export.form.replay": "V+-Punkte",
  "export.form.csv": "CSV",
  "export.about.rapid": "Ein Modul für ABB-Steuerungen (IRC5, OmniCore).",
  "export.about.urscript": "Ein Skript für Universal Robots (e-Series, PolyScope 5).",
  "export.about.vplus": "Ein Programm für Steuerungen von Stäubli und Adept mit V+.",
  "export.about.replay": "Für V+: jede Bewegung als gespeicherte Achspunkte, nacheinander abgefahren.",
  "export.about.csv": "Die zeitliche Bahn der Achsen, eine Zeile je Abtastpunkt.",
  "export.writing": "Wird geschrieben…",
  "export.cannot": "Diese Sprache kann das nicht ausdrücken",
  "export.files": "Datei",
  "export.lines": { one: "{count} Zeile", other: "{count} Zeilen" },
  "export.copy": "Kopieren",
  "export.copied": "Kopiert",
  "export.copyFailed": "Der Browser erlaubt hier kein Kopieren; stattdessen den Text markieren.",
  "export.download": "Herunterladen",
  "export.downloadAll": "Alles als Zip herunterladen",
  "export.fails":
    "Die Prüfung zeigt, dass dieses Programm fehlschlägt. Das Exportierte würde den Roboter dort anhalten.",
  "export.unchecked": "Dieses Programm wurde in seinem jetzigen Stand nicht geprüft.",
  "export.text": "Exportierter Text",
  "export.cut": "Nur die ersten {count} Zeilen werden gezeigt; die Datei hat alle.",
};
