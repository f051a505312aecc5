/** StudioView: how a person looks at a cell and works in it. Nothing of it is in the document. */

import { Store } from "./store";
import type { WeldPreset } from "../teach/snap";
import type { HandleAxes, HandleMode } from "./view";

/** What a press in the view does: choose and drag things, take measure between two places, or bring the tool there. */
export type ViewTool = "handle" | "measure" | "touch";

/** Steps of a drag; 0: none. Metres and radians. */
export interface Grid {
  readonly move: number;
  readonly turn: number;
}

export const MOVE_STEPS: readonly number[] = [0.001, 0.005, 0.01, 0.05];
export const TURN_STEPS: readonly number[] = [5, 15, 45].map((degrees) => (degrees * Math.PI) / 180);

export class StudioView {
  readonly tool = new Store<ViewTool>("handle");
  readonly mode = new Store<HandleMode>("move");
  readonly axes = new Store<HandleAxes>("world");
  /** Whether drags go in steps, and onto what is near. */
  readonly snap = new Store(false);
  readonly grid = new Store<Grid>({ move: 0.01, turn: (15 * Math.PI) / 180 });
  /** Whether a thing that is dragged comes to lie on what is below it. */
  readonly drop = new Store(false);
  /** Whether a thing that is dragged lines up with its neighbours. */
  readonly align = new Store(true);
  readonly frames = new Store(true);
  readonly margins = new Store(true);
  /** Whether bodies are seen through. */
  readonly xray = new Store(false);
  /** Whether Teach shows the frames of its arm. */
  readonly armFrames = new Store(false);
  /** Whether Teach shows how far its arm can reach. */
  readonly reach = new Store(false);
  /** At which angle the tool stands to an edge that it is brought to. */
  readonly weld = new Store<WeldPreset>("fillet");
  /** The box that was chosen last to bring the tool to; empty: none. */
  readonly box = new Store("");
  /** Whether the person may edit: then what is selected in Build has a handle to be dragged by. */
  readonly editable = new Store(true);
  /** Names of things that no drag moves. */
  readonly locked = new Store<readonly string[]>([]);
  /** What is under the pointer; null: nothing. */
  readonly hover = new Store<string | null>(null);
}
