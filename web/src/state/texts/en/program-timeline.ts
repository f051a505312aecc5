/** The timeline: what happens when. */

export const programTimeline = {
  "timeline.title": "Timeline",
  "timeline.empty": "Add steps that move the robot; how they run appears here.",
  "timeline.recording": "Calculating how it runs…",
  "timeline.failed": "How it runs cannot be shown: the program cannot be checked yet.",
  "timeline.tab": "What is shown",
  "timeline.tab.speed": "Tool speed",
  "timeline.tab.joints": "Joints",
  "timeline.tab.clearance": "Clearance",
  "timeline.play": "Play",
  "timeline.pause": "Pause",
  "timeline.playKey": "Play or pause the timeline (Space)",
  "timeline.zoomIn": "Zoom in",
  "timeline.zoomOut": "Zoom out",
  "timeline.all": "Show all",
  "timeline.time": "Time in the program",
  "timeline.at": "{time} s of {of} s",
  "timeline.stale": "being recalculated",
} as const;
