/** Every command of the page with its key: one list for the keyboard, the buttons' hints and the sheet. */

import type { OpenRobot } from "../state/open-robot";
import type { NamedView } from "../state/view";
import type { Context } from "./context";

export interface Command {
  readonly title: string;
  readonly group: "Tool" | "View" | "Arm" | "Page";
  /** As written on the key: "W", "Ctrl+Z", "?". */
  readonly keys: readonly string[];
  readonly run: () => void;
  /** False where a neighbour in the sheet stands for it. */
  readonly listed?: boolean;
}

export const MOST_BRANCHES = 8;

export function listCommands(context: Context): readonly Command[] {
  const { session, stage, preferences } = context;
  const { view } = session;
  const robot = (): OpenRobot | null =>
    session.shown.value.state === "ready" ? session.shown.value.robot : null;
  const look = (name: NamedView) => () => stage.value?.look(name);
  const togglePanel = (side: "left" | "right") => () => {
    const panel = preferences.panels[side];
    panel.set({ ...panel.value, open: !panel.value.open });
  };
  return [
    { title: "Move the tool", group: "Tool", keys: ["W"], run: () => view.mode.set("move") },
    { title: "Turn the tool", group: "Tool", keys: ["E"], run: () => view.mode.set("turn") },
    {
      title: "World or tool axes",
      group: "Tool",
      keys: ["X"],
      run: () => view.axes.set(view.axes.value === "world" ? "tool" : "world"),
    },
    { title: "Home", group: "Arm", keys: ["H"], run: () => robot()?.goHome() },
    { title: "Next arm", group: "Arm", keys: ["A"], run: () => nextArm(robot()) },
    ...Array.from({ length: MOST_BRANCHES }, (_, i) => ({
      title: i === 0 ? `Branch 1 … ${MOST_BRANCHES}` : `Branch ${i + 1}`,
      group: "Arm" as const,
      keys: [String(i + 1)],
      listed: i === 0,
      run: () => chooseBranch(robot(), i),
    })),
    { title: "Undo", group: "Arm", keys: ["Ctrl+Z"], run: () => robot()?.history.undo() },
    { title: "Redo", group: "Arm", keys: ["Ctrl+Shift+Z", "Ctrl+Y"], run: () => robot()?.history.redo() },
    { title: "Fit the robot", group: "View", keys: ["F"], run: look("fit") },
    { title: "From the corner", group: "View", keys: ["I"], run: look("iso") },
    { title: "From the front", group: "View", keys: ["K"], run: look("front") },
    { title: "From the left", group: "View", keys: ["L"], run: look("left") },
    { title: "From above", group: "View", keys: ["O"], run: look("top") },
    { title: "Show frames", group: "View", keys: ["G"], run: () => view.frames.set(!view.frames.value) },
    { title: "Show reach", group: "View", keys: ["R"], run: () => view.reach.set(!view.reach.value) },
    { title: "Left panel", group: "Page", keys: ["["], run: togglePanel("left") },
    { title: "Right panel", group: "Page", keys: ["]"], run: togglePanel("right") },
    {
      title: "Light or dark",
      group: "Page",
      keys: ["D"],
      run: () => preferences.theme.set(context.dark.value ? "light" : "dark"),
    },
    {
      title: "Degrees or radians",
      group: "Page",
      keys: ["U"],
      run: () => preferences.angle.set(preferences.angle.value === "deg" ? "rad" : "deg"),
    },
    {
      title: "Commands and keys",
      group: "Page",
      keys: ["?", "Ctrl+K"],
      run: () => context.sheetOpen.set(true),
    },
  ];
}

/** Move the active arm into another of its configurations. */
export function chooseBranch(robot: OpenRobot | null, index: number): void {
  const arm = robot?.active.value;
  const branch = arm?.branches.value[index];
  if (robot === null || arm === undefined || arm === null || branch === undefined) return;
  robot.history.record("");
  arm.glideTo(branch.q);
}

function nextArm(robot: OpenRobot | null): void {
  if (robot === null || robot.arms.length < 2) return;
  const index = robot.arms.findIndex((arm) => arm === robot.active.value);
  const next = robot.arms[(index + 1) % robot.arms.length];
  if (next !== undefined) robot.activate(next.info.name);
}

/** Write a key press the way commands do: "Ctrl+Shift+Z", "W", "?". */
export function keyName(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const control = event.ctrlKey || event.metaKey;
  // Shift is part of a sign such as "?", but a modifier of a letter.
  const shift = event.shiftKey && (control || /^[A-Z]$/.test(key));
  return `${control ? "Ctrl+" : ""}${event.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${key}`;
}

/** True where a key press belongs to a text field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== "range";
  return target instanceof HTMLSelectElement || target.isContentEditable;
}
