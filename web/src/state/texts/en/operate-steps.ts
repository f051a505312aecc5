/** Operate: step by step, from the middle, and what the controller asks. */

export const operateSteps = {
  "operate.steps.step": "Step",
  "operate.steps.hint": "Make one step, then pause",
  "operate.steps.whole": "The robot's own controller runs a program whole; stream it to step through it",
  "operate.steps.from": "Begin at step {number}",
  "operate.steps.from.none": "Begin at the selected step",
  "operate.steps.from.hint":
    "Parts are taken to be where the last run has left them. The way from here is checked first.",
  "operate.popup.title": "The controller of {robot} asks:",
  "operate.popup.continue": "Continue",
  "operate.popup.stop": "Stop the program",
  "operate.popup.seen": "Done",
  "operate.popup.there": "Answer it on the robot's own pendant.",
};
