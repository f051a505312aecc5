import type { Text } from "../../texts";
import type { welcome as english } from "../en/welcome";

export const welcome: Readonly<Record<keyof typeof english, Text>> = {
  "welcome.title": "Was soll der Roboter tun?",
  "welcome.lead":
    "Mit einer Demozelle beginnen: Sie öffnet sich als eigenes Projekt, mit Robotern und lauffähigen Programmen. Alles lässt sich rückgängig machen.",
  "welcome.demos": "Mit einer Demo beginnen",
  "welcome.demo.bench.title": "Werkbank",
  "welcome.demo.bench.notes": "Ein UR3e mit Saugnapf legt Pucks in einen Behälter.",
  "welcome.demo.pick_and_place.title": "Greifen und ablegen",
  "welcome.demo.pick_and_place.notes":
    "Ein IRB 120 mit Greifer sortiert drei Würfel von einem Tisch in eine Schale.",
  "welcome.demo.two_arms.title": "Zwei Arme",
  "welcome.demo.two_arms.notes":
    "Ein YuMi bringt auf einer Vorrichtung einen Block und einen Stift zusammen, ein Arm nach dem anderen.",
  "welcome.demo.weld_a_box.title": "Eine Kiste schweißen",
  "welcome.demo.weld_a_box.notes":
    "Ein RX90L mit Brenner schweißt drei Seiten einer Kiste unter 45° an ihren Tisch, in einer Spritzkabine mit zwei Fenstern.",
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
  "welcome.running": "{robots} verbunden",
  "welcome.moving": "{robots} in Bewegung",
  "welcome.duplicate": "{title} duplizieren",
  "welcome.duplicate.hint": "Duplizieren",
  "welcome.download": "{title} herunterladen",
  "welcome.remove": "{title} entfernen",
  "welcome.remove.hint": "Entfernen; lässt sich rückgängig machen",
  "welcome.removed": "{title} wurde entfernt.",
};
