/** Five things to know. */

export const tour = {
  "tour.label": "Tour",
  "tour.step": "Step {n} of {of}",
  "tour.skip": "Skip",
  "tour.back": "Back",
  "tour.next": "Next",
  "tour.done": "Start",
  "tour.build.title": "1 · Build the cell",
  "tour.build.text":
    "Everything that stands in the cell is in this list: robots, tools, parts, obstacles. Add more, click one to select it, drag it in the view.",
  "tour.teach.title": "2 · Teach points",
  "tour.teach.text":
    "Drag the robot by its tool, or move it joint by joint. Teach a point wherever it should go later.",
  "tour.program.title": "3 · Write the program",
  "tour.program.text":
    "Steps are sentences. After every change the program is checked; steps that fail are marked, with suggested fixes.",
  "tour.operate.title": "4 · Run it",
  "tour.operate.text":
    "Start a virtual robot or connect a real one, and run. STOP is always up here; so are the keys Pause and Shift+Esc.",
  "tour.help.title": "5 · Find anything",
  "tour.help.text":
    "Ctrl+K finds every command by a few letters; ? shows all keys. Everything can be undone with Ctrl+Z.",
} as const;
