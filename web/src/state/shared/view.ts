/** What the view shows, and what the handle at the tool does. */

export type HandleMode = "move" | "turn";
export type HandleAxes = "world" | "tool";
export type NamedView = "iso" | "front" | "back" | "left" | "right" | "top" | "bottom" | "fit";
