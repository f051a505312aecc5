/** The first page. */

export const welcome = {
  "welcome.title": "What should the robot do?",
  "welcome.lead":
    "Start with a demo cell: it opens as a project of your own, with robots and programs that run. Everything can be undone.",
  "welcome.demos": "Start with a demo",
  "welcome.demo.bench.title": "Bench",
  "welcome.demo.bench.notes": "A UR3e with a suction cup puts pucks into a bin.",
  "welcome.demo.pick_and_place.title": "Pick and place",
  "welcome.demo.pick_and_place.notes":
    "An IRB 120 with a gripper sorts three cubes from a table into a tray.",
  "welcome.demo.two_arms.title": "Two arms",
  "welcome.demo.two_arms.notes": "A YuMi brings a block and a peg together on a fixture, one arm at a time.",
  "welcome.demo.weld_a_box.title": "Weld a box",
  "welcome.demo.weld_a_box.notes":
    "An RX90L with a torch welds three sides of a box to its table, at 45°, in a spray room with two windows.",
  "welcome.projects": "Your projects",
  "welcome.new": "New empty project",
  "welcome.new.example": "Bench by the window",
  "welcome.create": "Create",
  "welcome.import": "Import a zip",
  "welcome.import.hint": "A downloaded project; or drop the file here",
  "welcome.drop": "Drop the zip of a project here",
  "welcome.tooLarge": "{name} has {mb} MB; a project may have at most 64 MB.",
  "welcome.robots": "Robots",
  "welcome.empty":
    "No projects yet. Choose a demo above, create an empty project (N), or drop a project's zip anywhere on this page.",
  "welcome.noRobots": "no robots",
  "welcome.programs": { one: "{count} program", other: "{count} programs" },
  "welcome.people": { one: "{count} person inside", other: "{count} people inside" },
  "welcome.running": "{robots} connected",
  "welcome.moving": "{robots} moving",
  "welcome.duplicate": "Duplicate {title}",
  "welcome.duplicate.hint": "Duplicate",
  "welcome.download": "Download {title}",
  "welcome.remove": "Remove {title}",
  "welcome.remove.hint": "Remove; can be undone",
  "welcome.removed": "{title} was removed.",
} as const;
