import type { Text } from "../../texts";
import type { welcome as english } from "../en/welcome";

export const welcome: Readonly<Record<keyof typeof english, Text>> = {
  "welcome.title": "Was soll der Roboter tun?",
  "welcome.lead":
    "Mit einer Demozelle beginnen: Sie öffnet sich als eigenes Projekt, mit Robotern und lauffähigen Programmen. Alles lässt sich rückgängig machen.",
  "welcome.demos": "Mit einer Demo beginnen",
  "welcome.projects": "Ihre Projekte",
  "welcome.new": "Neues leeres Projekt",
  "welcome.new.example": "Werkbank am Fenster",
  "welcome.create": "Anlegen",
  "welcome.import": "Zip importieren",
  "welcome.import.hint": "Ein heruntergeladenes Projekt; oder die Datei hier ablegen",
  "welcome.drop": "Das Zip eines Projekts hier ablegen",
  "welcome.tooLarge": "{name} hat {mb} MB; ein Projekt darf höchstens 64 MB haben.",
  "welcome.robots": "Roboter",
  "welcome.empty":
    "Noch keine Projekte. Oben eine Demo wählen, ein leeres Projekt anlegen (N) oder das Zip eines Projekts irgendwo auf dieser Seite ablegen.",
  "welcome.noRobots": "keine Roboter",
  "welcome.programs": { one: "{count} Programm", other: "{count} Programme" },
  "welcome.people": { one: "{count} Person darin", other: "{count} Personen darin" },
  "welcome.duplicate": "{title} duplizieren",
  "welcome.duplicate.hint": "Duplizieren",
  "welcome.download": "{title} herunterladen",
  "welcome.remove": "{title} entfernen",
  "welcome.remove.hint": "Entfernen; lässt sich rückgängig machen",
  "welcome.removed": "{title} wurde entfernt.",
};
