/** The view of the studio as tests may look at it. */

import type { CellStage } from "../../scene/cell-stage";
import type { Measuring } from "../../state/measuring";
import { Store } from "../../state/store";
import type { StudioView } from "../../state/studio-view";
import type { Teaching } from "../../state/teaching";

export interface SeenStage {
  readonly stage: CellStage;
  readonly teaching: Teaching;
  readonly measuring: Measuring;
  readonly view: StudioView;
}

export const seenStage = new Store<SeenStage | null>(null);
