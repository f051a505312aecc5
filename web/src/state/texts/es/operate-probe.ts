import type { Text } from "../../texts";
import type { operateProbe as english } from "../en/operate-probe";

export const operateProbe: Readonly<Record<keyof typeof english, Text>> = {
  "operate.probe": "Probar",
  "operate.probe.hint": "Mira qué hay en esta dirección; nada se mueve",
  "operate.probe.of": "Probar la conexión con {robot}",
  "operate.probe.looking": "Mirando {address}…",
  "operate.probe.unknownName":
    "Ninguna máquina de la red se llama {address}. Revisa cómo se escribe o usa su número.",
  "operate.probe.noAnswer":
    "Nadie responde en {address}. ¿Está encendido el robot y en la misma red que este servidor?",
  "operate.probe.noWay": "No hay camino de este servidor a {address}. Revisa su configuración de red.",
  "operate.probe.refused":
    "Hay una máquina en {address}, pero ningún controlador de robot responde. ¿Es la dirección correcta y ha arrancado?",
  "operate.probe.stranger": "Lo que responde en {address} no es un robot de Universal Robots.",
  "operate.probe.found": "Hay un {value}.",
  "operate.probe.otherModel":
    "Es un {value}; la célula tiene otro modelo. Cámbialo en Construir, o la dirección aquí.",
  "operate.probe.localControl":
    "Está en control local. Elige control remoto arriba a la derecha de su consola.",
  "operate.probe.noPower": "Su brazo no tiene energía ({value}). Enciéndelo en su consola.",
  "operate.probe.brakes": "Sus frenos están cerrados. Suéltalos en su consola.",
  "operate.probe.safety": "Su seguridad dice {value}. Resuélvelo primero en el robot.",
  "operate.probe.anotherOwner": "Otro cliente lo tiene. Cierra ese primero.",
  "operate.probe.noStates":
    "No da estados (puerto {value}). Permite RTDE entre sus servicios y busca un cortafuegos en medio.",
  "operate.probe.noScripts":
    "No acepta programas (puerto {value}). Permite la interfaz de tiempo real entre sus servicios.",
  "operate.probe.ready": "Se puede conectar.",
  "operate.interrupted":
    "El servidor se inició de nuevo con robots conectados. Se llevaron al reposo; el proyecto está completo. Inícialos otra vez cuando quieras.",
  "operate.interrupted.run":
    "El servidor se inició de nuevo mientras {program} se ejecutaba. Los robots se llevaron al reposo; el proyecto está completo. Inícialos otra vez cuando quieras.",
};
