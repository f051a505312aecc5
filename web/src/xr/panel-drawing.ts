/** How a panel looks: drawn by the browser, so that every script a person can read on the page is there. */

import type { Look } from "./presses";
import {
  type Element,
  INSET,
  type Layout,
  LINE_HEIGHT,
  type Measure,
  type Placed,
  type Tone,
} from "./panel-content";

const font = (weight: number, px: number): string =>
  `${weight} ${px}px "Inter Variable", "Segoe UI", Arial, sans-serif`;
const FONTS: Readonly<Record<Element["kind"], string>> = {
  title: font(600, 27),
  text: font(400, 23),
  button: font(500, 24),
};

const INK: Readonly<Record<Tone, string>> = {
  plain: "#e6ebf1",
  calm: "#9aa7b6",
  good: "#63d08f",
  warn: "#f5b955",
  stop: "#ff7a72",
  primary: "#e6ebf1",
};
/** Of buttons: at rest, with a hand's ray on them, and held. */
const FILL: Readonly<Record<"usual" | "primary" | "stop", Readonly<Record<Look, string>>>> = {
  usual: { rest: "#2a323d", lit: "#435062", held: "#0fa3b1" },
  primary: { rest: "#1d5fd6", lit: "#3f82f7", held: "#0fa3b1" },
  stop: { rest: "#c8211b", lit: "#ea4038", held: "#7d0f0b" },
};
const GROUND = "rgb(15 19 24 / 0.94)";
const RIM = "#3a4553";
const ON = "#4d90fb";
const RADIUS = 12;

const ruler = (): CanvasRenderingContext2D => {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null) throw new Error("no canvas to measure words on");
  return context;
};
let measuring: CanvasRenderingContext2D | null = null;

export const measureWords: Measure = (words, kind) => {
  measuring ??= ruler();
  measuring.font = FONTS[kind];
  return measuring.measureText(words).width;
};

/** Draw a panel; `look`: of each button. */
export function drawPanel(
  context: CanvasRenderingContext2D,
  { width, height, placed }: Layout,
  look: (id: string) => Look,
): void {
  context.clearRect(0, 0, width, height);
  context.fillStyle = GROUND;
  context.strokeStyle = RIM;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(1, 1, width - 2, height - 2, 18);
  context.fill();
  context.stroke();
  context.textBaseline = "middle";
  for (const one of placed) {
    if (one.element.kind === "button") drawButton(context, one, look(one.element.id));
    else drawWords(context, one, one.element.kind, INK[one.element.tone ?? "plain"]);
  }
}

function drawButton(context: CanvasRenderingContext2D, placed: Placed, look: Look): void {
  const { element, x, y, width, height } = placed;
  if (element.kind !== "button") return;
  const { tone = "plain", on = false, blocked = "" } = element;
  const free = blocked === "";
  const fills = tone === "stop" || tone === "primary" ? FILL[tone] : FILL.usual;
  context.globalAlpha = free ? 1 : 0.4;
  context.fillStyle = fills[free ? look : "rest"];
  context.beginPath();
  context.roundRect(x, y, width, height, RADIUS);
  context.fill();
  if (on) {
    context.strokeStyle = ON;
    context.lineWidth = 4;
    context.stroke();
  }
  context.textAlign = "center";
  drawWords(context, placed, "button", tone === "stop" ? "#ffffff" : INK[tone]);
  context.textAlign = "left";
  context.globalAlpha = 1;
}

function drawWords(
  context: CanvasRenderingContext2D,
  placed: Placed,
  kind: Element["kind"],
  ink: string,
): void {
  const { lines, x, y, width, height } = placed;
  context.font = FONTS[kind];
  context.fillStyle = ink;
  const left = kind === "button" ? x + width / 2 : x;
  const top = y + (height - LINE_HEIGHT * lines.length) / 2 + LINE_HEIGHT / 2;
  const room = kind === "button" ? width - 2 * INSET : width;
  for (const [i, line] of lines.entries()) context.fillText(line, left, top + i * LINE_HEIGHT, room);
}
