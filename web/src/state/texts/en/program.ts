/** Program: its steps, the timeline, the export. */

export const program = {
  "program.title": "Program",
  "program.empty": "The steps of the open program appear here.",
  "timeline.title": "Timeline",
  "timeline.empty": "What happens when appears here once a program was checked.",
} as const;
