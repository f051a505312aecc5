import type { Text } from "../../texts";
import type { welcome as english } from "../en/welcome";

export const welcome: Readonly<Record<keyof typeof english, Text>> = {
  "welcome.title": "¿Qué debe hacer el robot?",
  "welcome.lead":
    "Empieza con una célula de demostración: se abre como un proyecto propio, con robots y programas que funcionan. Todo se puede deshacer.",
  "welcome.demos": "Empezar con una demostración",
  "welcome.demo.bench.title": "Mesa de trabajo",
  "welcome.demo.bench.notes": "Un UR3e con ventosa pone discos en una caja.",
  "welcome.demo.pick_and_place.title": "Tomar y colocar",
  "welcome.demo.pick_and_place.notes": "Un IRB 120 con pinza ordena tres cubos de una mesa en una bandeja.",
  "welcome.demo.two_arms.title": "Dos brazos",
  "welcome.demo.two_arms.notes":
    "Un YuMi junta un bloque y una clavija sobre un utillaje, un brazo cada vez.",
  "welcome.demo.weld_a_box.title": "Soldar una caja",
  "welcome.demo.weld_a_box.notes":
    "Un RX90L con antorcha suelda tres lados de una caja a su mesa, a 45°, en una cabina de pulverizado con dos ventanas.",
  "welcome.projects": "Tus proyectos",
  "welcome.new": "Nuevo proyecto vacío",
  "welcome.new.example": "Mesa junto a la ventana",
  "welcome.create": "Crear",
  "welcome.import": "Importar un zip",
  "welcome.import.hint": "Un proyecto descargado; o suelta el archivo aquí",
  "welcome.drop": "Suelta aquí el zip de un proyecto",
  "welcome.tooLarge": "{name} tiene {mb} MB; un proyecto puede tener como máximo 64 MB.",
  "welcome.robots": "Robots",
  "welcome.empty":
    "Aún no hay proyectos. Elige una demostración, crea un proyecto vacío (N) o suelta el zip de uno en cualquier parte de esta página.",
  "welcome.noRobots": "sin robots",
  "welcome.programs": { one: "{count} programa", other: "{count} programas" },
  "welcome.people": { one: "{count} persona dentro", other: "{count} personas dentro" },
  "welcome.running": "{robots} conectado",
  "welcome.moving": "{robots} en movimiento",
  "welcome.duplicate": "Duplicar {title}",
  "welcome.duplicate.hint": "Duplicar",
  "welcome.download": "Descargar {title}",
  "welcome.remove": "Quitar {title}",
  "welcome.remove.hint": "Quitar; se puede deshacer",
  "welcome.removed": "Se quitó {title}.",
};
