// Buttons: what a press sends, why it cannot be pressed, and what is held.

import { order } from "./wire.js";

const HOLD_MS = 300;
let refused = "";

export const find = (id) => document.getElementById(id);

/** Send an order; a refusal is shown at the foot of the page. */
export async function send(what) {
  refused = await order(what);
  find("hint").textContent = refused;
}

function reasonOf(button) {
  return button.dataset.why ?? "";
}

/** Let a button be pressed, or say why it cannot be. */
export function allow(button, why) {
  const reason = why ?? "";
  if (button.dataset.why === reason) return;
  button.dataset.why = reason;
  button.title = reason;
  button.setAttribute("aria-disabled", String(reason !== ""));
}

/** Show at the foot why a button cannot be pressed, while somebody is on it. */
export function explainAll() {
  for (const button of document.querySelectorAll("button")) {
    const explain = () => (find("hint").textContent = reasonOf(button) || refused);
    button.addEventListener("focus", explain);
    button.addEventListener("pointerenter", explain);
    button.addEventListener("pointerleave", () => (find("hint").textContent = refused));
  }
}

export function onPress(button, action) {
  button.addEventListener("click", () => {
    if (reasonOf(button)) find("hint").textContent = reasonOf(button);
    else action();
  });
}

/** Holding: by mouse, finger or Space; whatever ends the hold lets go. */
export function onHold(button, down, up) {
  let timer = 0;
  const start = () => {
    if (reasonOf(button)) {
      find("hint").textContent = reasonOf(button);
      return;
    }
    if (timer) return;
    down();
    timer = setInterval(down, HOLD_MS);
  };
  const end = () => {
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    up();
  };
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    start();
  });
  for (const name of ["pointerup", "pointercancel", "blur"]) button.addEventListener(name, end);
  button.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) start();
  });
  button.addEventListener("keyup", end);
  addEventListener("blur", end);
}
