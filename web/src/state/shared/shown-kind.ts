/** What of the robots a view shows: where they are, where they would be, or where they should be. */

import type { Mode } from "./project";

/** `lost`: it was live, and the line is gone. `start`: how the cell says that they stand. */
export type ShownKind = "live" | "lost" | "preview" | "target" | "start";

export interface ShownBy {
  readonly mode: Mode;
  /** An arm is taught: its ghost is shown. */
  readonly ghost: boolean;
  /** A recording of the open program is shown. */
  readonly recorded: boolean;
  /** Robots run, and say where they are. */
  readonly measured: boolean;
  /** The line to the server is there. */
  readonly linked: boolean;
}

export function shownKind({ mode, ghost, recorded, measured, linked }: ShownBy): ShownKind {
  switch (mode) {
    case "build":
      return "start";
    case "teach":
      return ghost ? "target" : "start";
    case "program":
      return recorded ? "preview" : "start";
    case "operate":
      return !measured ? "start" : linked ? "live" : "lost";
  }
}
