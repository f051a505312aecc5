import type { Text } from "../../texts";
import type { robot as english } from "../en/robot";

export const robot: Readonly<Record<keyof typeof english, Text>> = {
  "robot.selectedArm": "Brazo seleccionado",
  "robot.command.move": "Mover la herramienta",
  "robot.command.turn": "Girar la herramienta",
  "robot.command.axes": "Ejes del mundo o de la herramienta",
  "robot.command.home": "Posición inicial",
  "robot.command.nextArm": "Siguiente brazo",
  "robot.command.branch": "Rama {n}",
  "robot.command.branches": "Rama 1 … {most}",
  "robot.showFrames": "Mostrar marcos",
  "robot.showReach": "Mostrar alcance",
  "robot.view.fit.hint": "Encuadrar el robot",
  "robot.view.iso.hint": "Desde la esquina",
  "robot.view.front.hint": "Desde el frente",
  "robot.view.left.hint": "Desde la izquierda",
  "robot.view.top.hint": "Desde arriba",
};
