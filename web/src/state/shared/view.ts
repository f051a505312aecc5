/** What the view shows, and what the handle at the tool does. */

import { Store } from "./store";

export type HandleMode = "move" | "turn";
export type HandleAxes = "world" | "tool";
export type NamedView = "iso" | "front" | "left" | "top" | "fit";

export class ViewState {
  readonly mode = new Store<HandleMode>("move");
  readonly axes = new Store<HandleAxes>("world");
  readonly frames = new Store(false);
  readonly reach = new Store(false);
  /** True while the reach is being worked out; the first time that takes some seconds. */
  readonly reachBusy = new Store(false);
}
