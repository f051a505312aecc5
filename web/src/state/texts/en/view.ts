/** The view of the cell. */

export const view = {
  "view.label": "View of the cell",
  "view.none": "The picture of the cell appears here.",
} as const;
