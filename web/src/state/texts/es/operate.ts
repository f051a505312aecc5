import type { Text } from "../../texts";
import type { operate as english } from "../en/operate";

export const operate: Readonly<Record<keyof typeof english, Text>> = {
  "operate.title": "Operar",
  "operate.empty": "Los robots conectados aparecen aquí.",
};
