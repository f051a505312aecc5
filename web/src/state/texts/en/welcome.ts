/** The first page. */

export const welcome = {
  "welcome.title": "What should the robot do?",
  "welcome.lead":
    "Start with a demo cell: it opens as a project of your own, with robots and programs that run. Everything can be undone.",
  "welcome.demos": "Start with a demo",
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
  "welcome.duplicate": "Duplicate {title}",
  "welcome.duplicate.hint": "Duplicate",
  "welcome.download": "Download {title}",
  "welcome.remove": "Remove {title}",
  "welcome.remove.hint": "Remove; can be undone",
  "welcome.removed": "{title} was removed.",
} as const;
