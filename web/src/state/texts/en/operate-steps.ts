/** Operate: step by step, from the middle, and what the controller asks. */

export const operateSteps = {
  "operate.steps.step": "Step",
  "operate.steps.hint": "Run one step, then pause",
  "operate.steps.whole":
    "The robot's own controller always runs a program as a whole; stream it to step through it",
  "operate.steps.from": "Start at step {number}",
  "operate.steps.from.none": "Start at the selected step",
  "operate.steps.from.hint":
    "Parts are assumed to be where the last run left them. The path from here is checked first.",
  "operate.run.resumeStopped": "Resume at step {number}",
  "operate.run.resumeStopped.hint":
    "Continues where the run was stopped: the path from here is checked first",
  "operate.run.notStopped": "No run was stopped.",
  "operate.run.breakpoints.uploaded":
    "The robot’s own controller runs a program as a whole, so it cannot pause at breakpoints. Stream it to use them.",
  "operate.resetParts": "Reset parts",
  "operate.resetParts.hint":
    "All parts count as being back where the cell says, out of every gripper. Nothing moves.",
  "operate.resetParts.none": "All parts are where the cell says.",
  "operate.command.runFrom": "Run from the selected step",
  "operate.command.resumeStopped": "Resume the stopped run",
  "operate.popup.title": "The controller of {robot} asks:",
  "operate.popup.seen": "Done",
  "operate.popup.there": "Answer it on the robot's own pendant.",
};
