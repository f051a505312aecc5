/** The robot page. */

export const robot = {
  "robot.selectedArm": "Selected arm",
  "robot.command.move": "Move the tool",
  "robot.command.turn": "Turn the tool",
  "robot.command.axes": "World or tool axes",
  "robot.command.home": "Home",
  "robot.command.nextArm": "Next arm",
  "robot.command.branch": "Branch {n}",
  "robot.command.branches": "Branch 1 … {most}",
  "robot.showFrames": "Show frames",
  "robot.showReach": "Show reach",
  "robot.view.fit.hint": "Fit the robot",
  "robot.view.iso.hint": "From the corner",
  "robot.view.front.hint": "From the front",
  "robot.view.left.hint": "From the left",
  "robot.view.top.hint": "From above",
} as const;
