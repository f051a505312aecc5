import type { Text } from "../../texts";
import type { tour as english } from "../en/tour";

export const tour: Readonly<Record<keyof typeof english, Text>> = {
  "tour.label": "Recorrido",
  "tour.step": "Paso {n} de {of}",
  "tour.skip": "Saltar",
  "tour.back": "Atrás",
  "tour.next": "Siguiente",
  "tour.done": "Empezar",
  "tour.build.title": "1 · Construir la celda",
  "tour.build.text":
    "Todo lo que hay en la celda está en esta lista: robots, herramientas, piezas, obstáculos. Añada más, pulse uno para seleccionarlo, arrástrelo en la vista.",
  "tour.teach.title": "2 · Enseñar puntos",
  "tour.teach.text":
    "Arrastre el robot por su herramienta o muévalo eje por eje. Adonde deba ir después, enseñe un punto.",
  "tour.program.title": "3 · Escribir el programa",
  "tour.program.text":
    "Los pasos son frases. Tras cada cambio el programa se comprueba; lo que falla queda marcado, con una salida.",
  "tour.operate.title": "4 · Ejecutarlo",
  "tour.operate.text":
    "Arranque un robot virtual o conecte uno real, y ejecute. STOP está siempre aquí arriba; también las teclas Pausa y Shift+Esc.",
  "tour.help.title": "5 · Encontrar cualquier cosa",
  "tour.help.text":
    "Ctrl+K encuentra cada comando con unas pocas letras; ? muestra todas las teclas. Todo se deshace con Ctrl+Z.",
};
