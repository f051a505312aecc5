/** Operar: paso a paso, desde el medio, y lo que pregunta el controlador. */

export const operateSteps = {
  "operate.steps.step": "Paso",
  "operate.steps.hint": "Ejecutar un paso y pausar",
  "operate.steps.whole": "El controlador del robot ejecuta el programa entero; guíalo para ir paso a paso",
  "operate.steps.from": "Empezar en el paso {number}",
  "operate.steps.from.none": "Empezar en el paso seleccionado",
  "operate.steps.from.hint":
    "Se supone que las piezas están donde las dejó la última ejecución. La trayectoria desde aquí se comprueba antes.",
  "operate.popup.title": "El controlador de {robot} pregunta:",
  "operate.popup.seen": "Hecho",
  "operate.popup.there": "Respóndele en la consola del propio robot.",
};
