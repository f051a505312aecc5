/** Operate: robots as they are. */

export const operate = {
  "operate.title": "Operate",
  "operate.empty": "Robots that are connected appear here.",
} as const;
