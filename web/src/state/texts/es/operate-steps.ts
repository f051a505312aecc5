/** Operar: paso a paso, desde el medio, y lo que pregunta el controlador. */

export const operateSteps = {
  "operate.steps.step": "Paso",
  "operate.steps.hint": "Ejecutar un paso y pausar",
  "operate.steps.whole": "El controlador del robot ejecuta el programa entero; guíalo para ir paso a paso",
  "operate.steps.from": "Empezar en el paso {number}",
  "operate.steps.from.none": "Empezar en el paso seleccionado",
  "operate.steps.from.hint":
    "Se supone que las piezas están donde las dejó la última ejecución. La trayectoria desde aquí se comprueba antes.",
  "operate.run.resumeStopped": "Reanudar en el paso {number}",
  "operate.run.resumeStopped.hint": "Continúa donde se paró; antes se comprueba el camino desde aquí",
  "operate.run.notStopped": "No se paró ninguna ejecución.",
  "operate.run.breakpoints.uploaded":
    "El controlador del robot ejecuta el programa entero, por eso no puede pausar en puntos de parada. Transmítalo para usarlos.",
  "operate.resetParts": "Reponer las piezas",
  "operate.resetParts.hint":
    "Todas las piezas cuentan como devueltas al lugar que dice la célula, fuera de toda pinza. Nada se mueve.",
  "operate.resetParts.none": "Todas las piezas están donde dice la célula.",
  "operate.command.runFrom": "Ejecutar desde el paso seleccionado",
  "operate.command.resumeStopped": "Reanudar la ejecución parada",
  "operate.popup.title": "El controlador de {robot} pregunta:",
  "operate.popup.seen": "Hecho",
  "operate.popup.there": "Respóndele en la consola del propio robot.",
};
