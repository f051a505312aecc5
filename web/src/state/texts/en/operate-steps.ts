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
  "operate.popup.title": "The controller of {robot} asks:",
  "operate.popup.seen": "Done",
  "operate.popup.there": "Answer it on the robot's own pendant.",
};
