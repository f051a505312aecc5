/** Teach: jogging, points. */

export const teach = {
  "teach.title": "Teach",
  "teach.empty": "The tool and the joints of the robot that is taught appear here.",
} as const;
