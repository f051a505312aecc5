// The pendant's page: draws the state that arrives ten times a second, and sends orders.

import { follow, order } from "./wire.js";

const HOLD_MS = 300;
const PUSH_N = 25;
const DEGREES = 180 / Math.PI;
const WORDS = {
  POWER_OFF: "power off",
  POWER_ON: "powering on",
  IDLE: "brakes closed",
  RUNNING: "running",
  BACKDRIVE: "backdrive",
  BOOTING: "booting",
};
const POSE = [
  ["X", 1000, "mm", 1],
  ["Y", 1000, "mm", 1],
  ["Z", 1000, "mm", 1],
  ["RX", 1, "rad", 3],
  ["RY", 1, "rad", 3],
  ["RZ", 1, "rad", 3],
];

const find = (id) => document.getElementById(id);
let state = null;
let refused = "";

const number = (value, digits) => {
  const text = value.toFixed(digits);
  return (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text).replace("-", "−");
};

// --- orders

async function send(what) {
  refused = await order(what);
  find("hint").textContent = refused;
}

function reasonOf(button) {
  return button.dataset.why ?? "";
}

function allow(button, why) {
  const reason = why ?? "";
  if (button.dataset.why === reason) return;
  button.dataset.why = reason;
  button.title = reason;
  button.setAttribute("aria-disabled", String(reason !== ""));
}

for (const button of document.querySelectorAll("button")) {
  const explain = () => (find("hint").textContent = reasonOf(button) || refused);
  button.addEventListener("focus", explain);
  button.addEventListener("pointerenter", explain);
  button.addEventListener("pointerleave", () => (find("hint").textContent = refused));
}

function onPress(button, action) {
  button.addEventListener("click", () => {
    if (reasonOf(button)) find("hint").textContent = reasonOf(button);
    else action();
  });
}

for (const button of document.querySelectorAll("[data-press]"))
  onPress(button, () => send({ do: "press", button: button.dataset.press }));
for (const button of document.querySelectorAll("[data-fault]"))
  onPress(button, () => send({ do: "fault", ...JSON.parse(button.dataset.fault) }));
onPress(find("estop"), () => send({ do: "press", button: state?.emergency ? "emergency_reset" : "emergency_stop" }));
onPress(find("load"), () => send({ do: "load", program: find("programs").value }));
onPress(find("protective"), () => send({ do: "protective_stop" }));
onPress(find("remote"), () => send({ do: "remote", on: !state?.remote }));
find("speed").addEventListener("input", (event) => {
  find("speed-out").textContent = `${event.target.value} %`;
  send({ do: "speed", fraction: Number(event.target.value) / 100 });
});

// Holding: by mouse, finger or Space; whatever ends the hold lets go.
function onHold(button, down, up) {
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

// --- drawing

function chip(id, text, level) {
  const one = find(id);
  one.dataset.level = level;
  const place = one.querySelector("span");
  if (place.textContent !== text) place.textContent = text;
}

function drawChips() {
  const off = state.mains !== "on";
  const mode = off ? (state.mains === "booting" ? "booting" : "switched off") : (WORDS[state.robot_mode] ?? state.robot_mode);
  const level = off ? "off" : state.robot_mode === "RUNNING" ? "run" : state.robot_mode === "POWER_OFF" ? "off" : "warn";
  chip("chip-robot", mode, level);
  const safe = state.safety === "NORMAL" || state.safety === "REDUCED";
  chip("chip-safety", off ? "–" : state.safety.replaceAll("_", " ").toLowerCase(), off ? "off" : safe ? "run" : "stop");
  const running = { PLAYING: "run", PAUSED: "warn" }[state.program_state] ?? "off";
  chip("chip-program", off ? "–" : state.program_state.toLowerCase(), off ? "off" : running);
  chip("chip-control", state.remote ? "remote" : "local", "off");
  find("chip-link").hidden = state.faults.length === 0;
  chip("chip-link", state.faults.join(", "), "warn");
}

function drawRobot() {
  const on = state.mains === "on";
  const powered = on && !["POWER_OFF", "BOOTING"].includes(state.robot_mode);
  const steps = { on, power: powered, run: on && state.robot_mode === "RUNNING" };
  for (const step of find("steps").children) {
    step.classList.toggle("done", steps[step.dataset.step]);
    const busy =
      (step.dataset.step === "on" && state.mains === "booting") ||
      (step.dataset.step === "power" && state.robot_mode === "POWER_ON");
    step.classList.toggle("busy", busy);
  }
  for (const [name, shown] of [
    ["when-off", !on],
    ["when-on", on],
    ["when-protective", on && state.safety === "PROTECTIVE_STOP"],
    ["when-violation", on && ["VIOLATION", "FAULT"].includes(state.safety)],
  ])
    for (const button of document.querySelectorAll(`.${name}`)) button.hidden = !shown;
  const next = { POWER_OFF: "power_on", IDLE: "brake_release" }[state.robot_mode];
  for (const button of document.querySelectorAll(".when-on"))
    button.classList.toggle("primary", button.dataset.press === next);
}

function drawProgram() {
  find("program-name").textContent = state.program || "None loaded";
  find("program-line").textContent = state.line > 0 ? `line ${state.line}` : "";
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
  if (document.activeElement !== find("speed")) {
    find("speed").value = String(Math.round(state.speed_slider * 100));
    find("speed-out").textContent = `${Math.round(state.speed_slider * 100)} %`;
  }
}

function row(cells) {
  const line = document.createElement("tr");
  line.append(...cells);
  return line;
}

function cell(kind, className = "") {
  const one = document.createElement(kind);
  one.className = className;
  return one;
}

function drawJoints() {
  const body = find("joints");
  if (body.childElementCount !== state.joints.length) {
    body.replaceChildren(
      ...state.joints.map((joint) => {
        const head = cell("th");
        head.scope = "row";
        head.textContent = joint.name;
        const bar = cell("td");
        bar.append(cell("span", "track"));
        bar.firstChild.append(document.createElement("i"));
        return row([head, bar, cell("td", "num"), cell("td", "num dim"), cell("td", "num"), cell("td", "num"), cell("td", "num"), cell("td")]);
      }),
    );
  }
  state.joints.forEach((joint, index) => {
    const [, bar, position, target, speed, current, temperature, mode] = body.children[index].children;
    bar.firstChild.firstChild.style.left = `${50 + (50 * Math.max(-2 * Math.PI, Math.min(2 * Math.PI, joint.actual))) / (2 * Math.PI)}%`;
    position.textContent = number(joint.actual * DEGREES, 2);
    target.textContent = number(joint.target * DEGREES, 2);
    speed.textContent = number(joint.speed * DEGREES, 1);
    current.textContent = number(joint.current, 2);
    temperature.textContent = number(joint.temperature, 0);
    mode.textContent = joint.mode.replaceAll("_", " ").toLowerCase();
  });
  const pose = find("pose");
  if (!pose.childElementCount)
    for (const [name, , unit] of POSE) {
      const box = document.createElement("div");
      const title = document.createElement("dt");
      title.textContent = `${name} ${unit}`;
      box.append(title, document.createElement("dd"));
      pose.append(box);
    }
  POSE.forEach(([, scale, , digits], index) => {
    pose.children[index].lastChild.textContent = number(state.tcp_pose[index] * scale, digits);
  });
}

function drawSignals() {
  const inputs = find("inputs");
  if (!inputs.childElementCount)
    for (let i = 0; i < 8; i += 1) {
      const button = document.createElement("button");
      button.textContent = String(i);
      button.setAttribute("aria-label", `Digital input ${i}`);
      button.addEventListener("click", () =>
        send({ do: "input", name: `standard_digital_${i}`, value: button.getAttribute("aria-pressed") !== "true" }),
      );
      inputs.append(button);
      const lamp = document.createElement("span");
      lamp.setAttribute("role", "listitem");
      lamp.textContent = String(i);
      find("outputs").append(lamp);
    }
  for (let i = 0; i < 8; i += 1) {
    const on = ((state.digital_out >> i) & 1) === 1;
    inputs.children[i].setAttribute("aria-pressed", String(((state.digital_in >> i) & 1) === 1));
    find("outputs").children[i].className = on ? "on" : "";
    find("outputs").children[i].setAttribute("aria-label", `Digital output ${i} ${on ? "on" : "off"}`);
  }
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
function drawPopup() {
  const shown = state.popup !== null && state.mains === "on";
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
  if (shown) find("popup").querySelector(".primary").focus();
}

function draw() {
  document.title = `${state.model.toUpperCase().replace(/E$/, "e")} at ${state.address}`;
  find("model").textContent = state.model.toUpperCase().replace(/E$/, "e");
  find("address").textContent = state.address;
  drawChips();
  drawRobot();
  drawProgram();
  drawJoints();
  drawSignals();
  drawMessages();
  drawPopup();
  for (const button of document.querySelectorAll("[data-press]")) allow(button, state.buttons[button.dataset.press]);
  allow(find("load"), state.buttons.load ?? (state.programs.length ? null : "There is no program to load."));
  allow(find("estop"), state.mains === "on" ? null : state.buttons.emergency_stop);
  for (const button of [find("freedrive"), ...find("arrows").children]) allow(button, state.buttons.freedrive);
  allow(find("protective"), state.buttons.freedrive === null || state.robot_mode === "RUNNING" ? null : "The robot is not running.");
  find("freedrive").setAttribute("aria-pressed", String(state.freedrive));
  find("remote").setAttribute("aria-pressed", String(state.remote));
  find("estop").setAttribute("aria-pressed", String(state.emergency));
  find("estop").querySelector(".word").textContent = state.emergency ? "Pull out to reset" : "Emergency stop";
  find("pace").textContent = `${state.time_s.toFixed(1)} s · ticks late by ${(state.late_p99_us / 1000).toFixed(1)} ms (p99)`;
  document.body.dataset.tick = String(Math.round(state.time_s * 500));
}

follow(
  (next) => {
    state = next;
    document.body.classList.remove("lost");
    find("notice").hidden = true;
    draw();
  },
  () => {
    document.body.classList.add("lost");
    find("notice").textContent = "The virtual controller does not answer. Is its process still running?";
    find("notice").hidden = false;
  },
);
