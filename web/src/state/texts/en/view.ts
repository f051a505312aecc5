/** The view of the cell. */

export const view = {
  "view.label": "View of the cell",
  "view.none": "This browser cannot draw the cell: WebGL is switched off or not there.",
  "view.robotFailed": "The robot {name} could not be shown.",
  "view.meshFailed": "The mesh {file} of {name} could not be shown.",
} as const;
