/** Wrists: a small board on each wrist with the red STOP, and with the button that shows and hides the menus. */

import { type Matrix4, Object3D, Vector3 } from "three";
import { t } from "../state/texts";
import type { HandNow } from "./hands";
import { Panel } from "./panel";
import { face } from "./panel-place";
import { type Row, row } from "./panel-content";
import type { Side } from "./presses";

const WIDTH_PX = 300;
/** Smaller than a menu: it is as near as the hand. */
const SCALE = 0.45;
/** Beside the hand and a little above it, outside of what the fingers do. */
const ASIDE_M = 0.1;
const ABOVE_M = 0.06;

export interface WristParts {
  readonly stop: () => void;
  readonly toggleMenus: () => void;
}

export class Wrists {
  readonly panels: Readonly<Record<Side, Panel>>;
  readonly #place = new Object3D();
  readonly #side = new Vector3();

  constructor(
    space: Object3D,
    private readonly parts: WristParts,
  ) {
    const make = (side: Side): Panel => {
      const panel = new Panel(`wrist-${side}`, WIDTH_PX, SCALE);
      space.add(panel.mesh);
      return panel;
    };
    this.panels = { left: make("left"), right: make("right") };
  }

  /** What became of a STOP stands between both buttons. */
  update(news: readonly Row[]): void {
    const { stop, toggleMenus } = this.parts;
    const rows = [
      row({ kind: "button", id: "stop", text: t("shell.stop"), tone: "stop", when: "press", act: stop }),
      ...news,
      row({ kind: "button", id: "menus", text: t("headset.menus"), act: toggleMenus }),
    ];
    for (const panel of Object.values(this.panels)) panel.setRows(rows);
  }

  /** The board goes with its hand, and looks at the person. */
  follow(side: Side, hand: HandNow | null, eye: Vector3): void {
    const panel = this.panels[side];
    panel.show(hand !== null);
    if (hand === null) return;
    const place: Matrix4 = hand.grip ?? hand.ray;
    this.#place.position.setFromMatrixPosition(place);
    // Outside of the hand as the person sees it.
    this.#side.copy(this.#place.position).sub(eye).cross(UP).normalize();
    const way = side === "left" ? -1 : 1;
    panel.mesh.position.copy(this.#place.position).addScaledVector(this.#side, way * ASIDE_M);
    panel.mesh.position.y += ABOVE_M;
    face(panel.mesh, eye);
  }

  dispose(): void {
    for (const panel of Object.values(this.panels)) panel.dispose();
  }
}

const UP = new Vector3(0, 1, 0);
