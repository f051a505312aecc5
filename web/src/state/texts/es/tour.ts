import type { Text } from "../../texts";
import type { tour as english } from "../en/tour";

export const tour: Readonly<Record<keyof typeof english, Text>> = {
  "tour.label": "Recorrido",
  "tour.step": "Paso {n} de {of}",
  "tour.skip": "Saltar",
  "tour.back": "Atrás",
  "tour.next": "Siguiente",
  "tour.done": "Empezar",
  "tour.build.title": "1 · Construir la célula",
  "tour.build.text":
    "Todo lo que hay en la célula está en esta lista: robots, herramientas, piezas, obstáculos. Añade más, pulsa uno para seleccionarlo, arrástralo en la vista.",
  "tour.teach.title": "2 · Enseñar puntos",
  "tour.teach.text":
    "Arrastra el robot por su herramienta o muévelo eje por eje. Enseña un punto allí adonde deba ir después.",
  "tour.program.title": "3 · Escribir el programa",
  "tour.program.text":
    "Los pasos son frases. Tras cada cambio se comprueba el programa; los pasos que fallan se marcan, con propuestas de corrección.",
  "tour.operate.title": "4 · Ejecutarlo",
  "tour.operate.text":
    "Inicia un robot virtual o conecta uno real, y ejecuta. STOP está siempre aquí arriba; también las teclas Pausa y Shift+Esc.",
  "tour.help.title": "5 · Encontrar cualquier cosa",
  "tour.help.text":
    "Ctrl+K encuentra cada comando con unas pocas letras; ? muestra todas las teclas. Todo se deshace con Ctrl+Z.",
};
