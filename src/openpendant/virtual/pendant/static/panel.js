// The pendant's page: put together from its layout, draws the state that arrives ten times a second, and sends orders.

import { drawArms } from "./arms.js";
import { allow, explainAll, find, onHold, onPress, send } from "./orders.js";
import { follow, layout } from "./wire.js";

const PUSH_N = 25;
const PAD = [..."789⌫456−123.0"];
let page = null;
let state = null;

// --- what the controller has

function addButtons() {
  for (const { name, title, section, primary } of page.buttons) {
    const button = document.createElement("button");
    button.textContent = title;
    button.dataset.press = name;
    button.dataset.testid = section === "window" ? `popup-${name}` : name;
    button.classList.toggle("primary", primary);
    onPress(button, () => send({ do: "press", button: name }));
    document.querySelector(`[data-section="${section}"]`).append(button);
  }
}

function showParts() {
  const has = { ...page, program: page.programs !== null || page.buttons.some((one) => one.section === "program") };
  for (const part of document.querySelectorAll("[data-part]")) {
    const there = has[part.dataset.part];
    part.hidden = there === null || there === false;
  }
  find("estop").hidden = page.stop === null;
  find("h-io").textContent = page.signals;
  if (page.programs !== null) find("no-programs").textContent = page.programs;
  if (page.terminal !== null) find("h-terminal").textContent = page.terminal;
}

function bind() {
  for (const button of document.querySelectorAll("[data-fault]"))
    onPress(button, () => send({ do: "fault", ...JSON.parse(button.dataset.fault) }));
  onPress(find("estop"), () => send({ do: "press", button: page.stop[state?.emergency ? 1 : 0] }));
  onPress(find("load"), () => send({ do: "load", program: find("programs").value }));
  onPress(find("protective"), () => send({ do: "protective_stop" }));
  onPress(find("remote"), () => send({ do: "remote", on: !state?.remote }));
  find("speed").addEventListener("input", (event) => {
    find("speed-out").textContent = `${event.target.value} %`;
    send({ do: "speed", fraction: Number(event.target.value) / 100 });
  });
  find("type").addEventListener("submit", (event) => {
    event.preventDefault();
    send({ do: "type", text: find("line").value });
    find("line").value = "";
  });
  onHold(
    find("freedrive"),
    () => send({ do: "freedrive", held: true }),
    () => send({ do: "freedrive", held: false }),
  );
  for (const button of document.querySelectorAll("[data-push]")) {
    const [axis, sign] = button.dataset.push.split(",").map(Number);
    const wrench = [0, 0, 0, 0, 0, 0];
    wrench[axis] = sign * PUSH_N;
    onHold(
      button,
      () => {
        send({ do: "freedrive", held: true });
        send({ do: "push", wrench });
      },
      () => {
        send({ do: "push", wrench: [0, 0, 0, 0, 0, 0] });
        send({ do: "freedrive", held: false });
      },
    );
  }
}

// --- drawing

function chip(one, text, level) {
  one.dataset.level = level;
  const place = one.querySelector("span");
  if (place.textContent !== text) place.textContent = text;
}

function drawChips() {
  for (const { name, title, text, level } of state.chips) {
    let one = find(`chip-${name}`);
    if (one === null) {
      one = find("chip-link").cloneNode(true);
      one.id = `chip-${name}`;
      one.hidden = false;
      one.querySelector("b").textContent = title;
      find("chip-link").before(one);
    }
    chip(one, text, level);
  }
  find("chip-link").hidden = state.faults.length === 0;
  chip(find("chip-link"), state.faults.join(", "), "warn");
}

function drawRobot() {
  const steps = find("steps");
  if (steps.childElementCount !== state.steps.length)
    steps.replaceChildren(
      ...state.steps.map(({ title }) => {
        const line = document.createElement("li");
        line.append(document.createElement("i"), title);
        return line;
      }),
    );
  state.steps.forEach(({ done, busy }, index) => {
    steps.children[index].classList.toggle("done", done);
    steps.children[index].classList.toggle("busy", busy);
  });
  for (const button of document.querySelectorAll('[data-section="robot"] [data-press]')) {
    button.hidden = !state.offered.includes(button.dataset.press);
    button.classList.toggle("primary", button.dataset.press === state.next);
  }
}

function drawProgram() {
  find("program-name").textContent = state.program || "None loaded";
  find("program-line").textContent = state.line > 0 ? `line ${state.line}` : "";
  if (page.programs !== null) {
    const chooser = find("programs");
    const names = state.programs.join("\n");
    if (chooser.dataset.names !== names) {
      const chosen = chooser.value || state.program;
      chooser.dataset.names = names;
      chooser.replaceChildren(...state.programs.map((name) => new Option(name)));
      if (state.programs.includes(chosen)) chooser.value = chosen;
    }
    chooser.parentElement.hidden = state.programs.length === 0;
    find("no-programs").hidden = state.programs.length > 0;
  }
  if (document.activeElement !== find("speed")) {
    find("speed").value = String(Math.round(state.speed_slider * 100));
    find("speed-out").textContent = `${Math.round(state.speed_slider * 100)} %`;
  }
}

function inputButton({ name, label }) {
  const button = document.createElement("button");
  button.textContent = label;
  button.setAttribute("aria-label", `Digital input ${label}`);
  button.addEventListener("click", () =>
    send({ do: "input", name, value: button.getAttribute("aria-pressed") !== "true" }),
  );
  return button;
}

function outputLamp({ label }) {
  const lamp = document.createElement("span");
  lamp.setAttribute("role", "listitem");
  lamp.textContent = label;
  return lamp;
}

function drawSignals() {
  const inputs = find("inputs");
  const outputs = find("outputs");
  find("signals").hidden = state.inputs.length + state.outputs.length === 0;
  if (inputs.childElementCount !== state.inputs.length) inputs.replaceChildren(...state.inputs.map(inputButton));
  if (outputs.childElementCount !== state.outputs.length) outputs.replaceChildren(...state.outputs.map(outputLamp));
  state.inputs.forEach(({ on }, index) => inputs.children[index].setAttribute("aria-pressed", String(on)));
  state.outputs.forEach(({ label, on }, index) => {
    outputs.children[index].className = on ? "on" : "";
    outputs.children[index].setAttribute("aria-label", `Digital output ${label} ${on ? "on" : "off"}`);
  });
}

function keyButton({ title, text }) {
  const button = document.createElement("button");
  button.textContent = title;
  button.dataset.testid = `key-${text}`;
  onPress(button, () => send({ do: "type", text }));
  return button;
}

function padButton(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.dataset.testid = `pad-${text}`;
  onPress(button, () => {
    const line = find("line");
    line.value = text === "⌫" ? line.value.slice(0, -1) : line.value + text.replace("−", "-");
  });
  return button;
}

function drawKeys() {
  const place = find("terminal-keys");
  const shown = JSON.stringify(state.keys);
  if (place.dataset.shown !== shown) {
    place.dataset.shown = shown;
    place.replaceChildren(...state.keys.map(keyButton));
    place.hidden = state.keys.length === 0;
    if (!place.hidden) place.scrollIntoView({ block: "nearest" });
  }
  const pad = find("keypad");
  if (pad.childElementCount === 0) pad.replaceChildren(...PAD.map(padButton));
  if (pad.hidden !== state.keypad) return;
  pad.hidden = !state.keypad;
  find("line").value = "";
  if (!pad.hidden) find("type").scrollIntoView({ block: "nearest" });
}

function drawTerminal() {
  drawKeys();
  const place = find("terminal");
  const text = (state.terminal ?? []).join("\n");
  if (place.textContent === text) return;
  place.textContent = text;
  place.scrollTop = place.scrollHeight;
}

function drawMessages() {
  const list = find("messages");
  const newest = state.messages.at(-1)?.number ?? 0;
  find("no-messages").hidden = newest > 0;
  list.hidden = newest === 0;
  if (Number(list.dataset.newest ?? 0) === newest) return;
  list.dataset.newest = String(newest);
  list.replaceChildren(
    ...state.messages.toReversed().map((message) => {
      const line = document.createElement("li");
      line.dataset.level = message.level;
      const when = document.createElement("time");
      when.textContent = `${message.time_s.toFixed(2)} s`;
      const text = document.createElement("span");
      text.textContent = message.text;
      line.append(when, text);
      return line;
    }),
  );
}

// The header stays free while a window waits for an answer: an emergency stop is never out of reach.
// Where windows have no buttons, what is asked is answered at the terminal, which no window may cover.
function drawPopup() {
  const answered = page.buttons.some((one) => one.section === "window");
  const shown = state.popup !== null && state.mains === "on" && answered;
  const cover = find("cover");
  if (shown) {
    find("popup-title").textContent = state.popup.title || "Message";
    find("popup-text").textContent = state.popup.text;
    find("popup").dataset.level = state.popup.level;
  }
  if (cover.hidden !== shown) return;
  cover.hidden = !shown;
  document.querySelector("main").inert = shown;
  find("faults").inert = shown;
  if (shown) find("popup").querySelector(".primary")?.focus();
}

function drawButtons() {
  const { buttons } = state;
  for (const button of document.querySelectorAll("[data-press]")) allow(button, buttons[button.dataset.press]);
  allow(find("load"), buttons.load ?? (state.programs.length ? null : "There is no program to load."));
  if (page.stop !== null) allow(find("estop"), state.mains === "on" ? null : buttons[page.stop[0]]);
  for (const button of [find("freedrive"), ...find("arrows").children]) allow(button, buttons.freedrive);
  allow(find("protective"), buttons.protective_stop);
  find("freedrive").setAttribute("aria-pressed", String(state.freedrive));
  find("remote").setAttribute("aria-pressed", String(state.remote));
  find("estop").setAttribute("aria-pressed", String(state.emergency));
  find("estop").querySelector(".word").textContent = state.emergency ? "Pull out to reset" : "Emergency stop";
}

function draw() {
  document.title = `${page.title} at ${state.address}`;
  find("model").textContent = page.title;
  find("address").textContent = state.address;
  drawChips();
  drawRobot();
  drawProgram();
  drawArms(state.arms);
  drawSignals();
  drawTerminal();
  drawMessages();
  drawPopup();
  drawButtons();
  find("pace").textContent = `${state.time_s.toFixed(1)} s · ticks late by ${(state.late_p99_us / 1000).toFixed(1)} ms (p99)`;
  document.body.dataset.tick = String(Math.round((state.time_s * 1e9) / page.tick_ns));
}

function lose() {
  document.body.classList.add("lost");
  find("notice").textContent = "The virtual controller does not answer. Is its process still running?";
  find("notice").hidden = false;
}

async function begin() {
  page = await layout();
  showParts();
  addButtons();
  bind();
  explainAll();
  follow((next) => {
    state = next;
    document.body.classList.remove("lost");
    find("notice").hidden = true;
    draw();
  }, lose);
}

begin().catch(lose);
