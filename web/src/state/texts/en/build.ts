/** Build: the library, the tree and the inspector. */

export const build = {
  "build.title": "Library",
  "build.empty": "What can be put into the cell appears here.",
  "tree.title": "Cell",
  "tree.empty": "What is in the cell appears here.",
  "inspector.title": "Selected",
  "inspector.empty": "Select something in the view or in the list; its numbers appear here.",
} as const;
