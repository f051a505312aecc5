// Joints and poses of any number of arms.

import { find } from "./orders.js";

const UNITS = { rad: { scale: 180 / Math.PI, digits: 2 }, m: { scale: 1000, digits: 1 } };
const TOLD = ["current", "temperature", "mode"];
let drawn = "";

export const number = (value, digits) => {
  const text = value.toFixed(digits);
  return (/^-0(\.0*)?$/.test(text) ? text.slice(1) : text).replace("-", "−");
};

function cell(kind, className = "", text = "") {
  const one = document.createElement(kind);
  one.className = className;
  one.textContent = text;
  return one;
}

function jointRow(joint) {
  const line = document.createElement("tr");
  const head = cell("th", "", joint.unit === "m" ? `${joint.name} (mm)` : joint.name);
  head.scope = "row";
  const bar = cell("td");
  bar.append(cell("span", "track"));
  bar.firstChild.append(document.createElement("i"));
  line.append(head, bar, cell("td", "num"), cell("td", "num dim"), cell("td", "num"));
  for (const name of TOLD) {
    const one = cell("td", name === "mode" ? "" : "num");
    one.dataset.told = name;
    line.append(one);
  }
  return line;
}

function armRow(arm) {
  const line = cell("tr", "arm");
  const head = cell("th", "", arm.name);
  head.colSpan = 8;
  line.append(head);
  return line;
}

function poseSection(arm) {
  const section = document.createElement("section");
  const pose = cell("dl", "pose");
  for (const { name, unit } of arm.pose) {
    const box = document.createElement("div");
    box.append(cell("dt", "", `${name} ${unit}`), document.createElement("dd"));
    pose.append(box);
  }
  section.append(cell("h2", "", arm.name ? `${arm.frame}: ${arm.name}` : arm.frame), pose);
  return section;
}

function build(arms) {
  const rows = [];
  for (const arm of arms) {
    if (arms.length > 1) rows.push(armRow(arm));
    rows.push(...arm.joints.map(jointRow));
  }
  find("joints").replaceChildren(...rows);
  find("poses").replaceChildren(...arms.filter((arm) => arm.pose.length > 0).map(poseSection));
  const joints = arms.flatMap((arm) => arm.joints);
  for (const name of TOLD)
    for (const one of document.querySelectorAll(`[data-told="${name}"]`))
      one.hidden = joints.every((joint) => joint[name] === null);
  for (const unit of document.querySelectorAll("th .unit")) unit.hidden = joints.some((joint) => joint.unit === "m");
}

function drawJoint(line, joint) {
  const [, bar, position, target, speed, current, temperature, mode] = line.children;
  const { scale, digits } = UNITS[joint.unit];
  const share = (joint.actual - joint.lower) / (joint.upper - joint.lower);
  bar.firstChild.firstChild.style.left = `${100 * Math.max(0, Math.min(1, share))}%`;
  position.textContent = number(joint.actual * scale, digits);
  target.textContent = number(joint.target * scale, digits);
  speed.textContent = number(joint.speed * scale, 1);
  if (joint.current !== null) current.textContent = number(joint.current, 2);
  if (joint.temperature !== null) temperature.textContent = number(joint.temperature, 0);
  if (joint.mode !== null) mode.textContent = joint.mode.replaceAll("_", " ").toLowerCase();
}

/** Draw joints and poses; what they consist of is built again where it is another. */
export function drawArms(arms) {
  const shape = JSON.stringify(
    arms.map((arm) => [arm.name, arm.frame, arm.joints.map((one) => [one.name, one.unit]), arm.pose.map((one) => one.name)]),
  );
  if (shape !== drawn) {
    drawn = shape;
    build(arms);
  }
  const lines = [...find("joints").children].filter((line) => !line.classList.contains("arm"));
  arms.flatMap((arm) => arm.joints).forEach((joint, index) => drawJoint(lines[index], joint));
  const poses = [...find("poses").children];
  arms
    .filter((arm) => arm.pose.length > 0)
    .forEach((arm, index) => {
      const boxes = poses[index].lastChild.children;
      arm.pose.forEach((one, at) => (boxes[at].lastChild.textContent = number(one.value, one.digits)));
    });
}
