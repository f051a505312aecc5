import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inOwnWords } from "./said";
import { setLanguage } from "./texts";
import { asSentence } from "./sentences";

describe("inOwnWords", () => {
  beforeEach(() => setLanguage("es"));
  afterEach(() => setLanguage("en"));

  it.each([
    ["Bob has control of ur3e; ask for it, or take over", "Bob tiene el control de ur3e; pídelo o quítaselo"],
    ["no program runs", "no se ejecuta ningún programa"],
    [
      "pick is not clear: step 3.1 fails: out of reach 40.0 % along, at 900.0, 0.0, 100.0 mm",
      "pick no pasa la comprobación: el paso 3.1 falla: fuera de alcance al 40.0 % del camino, en 900.0, 0.0, 100.0 mm",
    ],
    [
      "clear: runs in 12.40 s; nearest 31.0 mm between ur3e/forearm and fence",
      "sin fallos: dura 12.40 s; lo más cercano: 31.0 mm entre ur3e/forearm y fence",
    ],
    [
      "Wrist 2 would have to jump 50.0 % along, at 1.0, 2.0, 3.0 mm: the tool passes close to a wrist singularity",
      "Wrist 2 tendría que saltar al 50.0 % del camino, en 1.0, 2.0, 3.0 mm: la herramienta pasa cerca de una singularidad (wrist)",
    ],
    ["the robot's safety says protective stop", "la seguridad del robot dice: parada de protección"],
    [
      "begin as shoulder left, elbow up, wrist in instead of shoulder right, elbow down, wrist out",
      "empezar como hombro a la izquierda, codo arriba, muñeca dentro en vez de hombro a la derecha, codo abajo, muñeca fuera",
    ],
    [
      "with the tool so, ur3e/forearm_link touches wall",
      "con la herramienta así, ur3e/forearm_link toca wall",
    ],
    ["waits for part held to be on", "espera a que part held se active"],
    [
      "take control needs the role engineer; you are paired as operator",
      "esto requiere el papel de ingeniero; estás emparejado como operador",
    ],
    ["ur3e failed: its process has ended", "ur3e falló: su proceso ha terminado"],
    ["no step named 's9'. Did you mean s1 or s2?", "no existe «s9». ¿Querías decir s1 or s2?"],
  ])("says %s", (said, wanted) => expect(inOwnWords(said)).toBe(wanted));

  it("leaves what it does not know, and everything in English, as it was said", () => {
    expect(inOwnWords("something new")).toBe("something new");
    expect(asSentence("no program runs")).toBe("No se ejecuta ningún programa.");
    expect(asSentence("ur3e was stopped: no program runs")).toMatch(/^ur3e fue parado/);
    setLanguage("en");
    expect(inOwnWords("no program runs")).toBe("no program runs");
  });
});
