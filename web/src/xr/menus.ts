/**
 * Menus: the pages that are open, on a panel before the person, with the steps of the program beside it. One button shows
 * and hides them at any time; Back leads from page to page, and from the first one out of the menus.
 */

import type { Object3D, Quaternion, Vector3 } from "three";
import { Panel } from "./panel";
import type { Row } from "./panel-content";
import { placeBefore, raise } from "./panel-place";
import type { PageInput, Page } from "./pages/page";
import type { StepsList } from "./pages/steps-list";

const MENU_PX = 620;
const STEPS_PX = 560;
/** The list stands to the left of the menu, turned about the person. */
const ASIDE_RAD = 0.74;
/** What is shown is looked at again so often, also where nobody has told of a change. */
const AGAIN_MS = 250;
/** And at most so often, however fast a ghost that is guided tells where it is: a panel is drawn by the processor. */
const LEAST_MS = 80;

export interface Eye {
  readonly position: Vector3;
  readonly quaternion: Quaternion;
}

export class Menus {
  readonly menu = new Panel("menu", MENU_PX);
  readonly steps = new Panel("steps", STEPS_PX);
  #pages: Page[] = [];
  #dirty = true;
  #drawnMs = -Infinity;

  /** They hang in the headset's space, below `space`. `changed`: another page is open, or none is seen. */
  constructor(
    space: Object3D,
    private readonly list: StepsList,
    private readonly first: () => Page,
    /** What stands below every page. */
    private readonly notices: () => readonly Row[],
    private readonly changed: () => void,
  ) {
    space.add(this.menu.mesh, this.steps.mesh);
  }

  get shown(): boolean {
    return this.menu.shown;
  }

  /** The page that is seen; null: the menus are hidden. */
  get page(): Page | null {
    return this.shown ? (this.#pages.at(-1) ?? null) : null;
  }

  /** Show them before the person, as they were left; nothing is lit or held when they are hidden. */
  show(shown: boolean, eye: Eye): void {
    if (shown === this.shown) return;
    if (shown && this.#pages.length === 0) this.#pages.push(this.first());
    if (shown) this.#draw();
    this.menu.show(shown);
    this.steps.show(shown);
    if (shown) this.place(eye);
    this.changed();
  }

  /** Put them before the person again. */
  place(eye: Eye): void {
    placeBefore(this.menu.mesh, eye, this.menu.height);
    placeBefore(this.steps.mesh, eye, this.steps.height, ASIDE_RAD);
  }

  open(page: Page): void {
    this.#pages.push(page);
    this.#turn();
  }

  /** B or Y: what the page does with it, else one page back; from the first one the menus are hidden. */
  back(eye: Eye): void {
    if (!this.shown || this.page?.back?.() === true) return;
    if (this.#pages.length <= 1) this.show(false, eye);
    else this.goBack();
  }

  goBack(): void {
    if (this.#pages.length <= 1) return;
    this.#pages.pop()?.close?.();
    this.#turn();
  }

  goHome(): void {
    while (this.#pages.length > 1) this.#pages.pop()?.close?.();
    this.#turn();
  }

  /** Something may have changed: look again with the next frame. */
  readonly refresh = (): void => {
    this.#dirty = true;
  };

  /** Once a frame. */
  update(nowMs: number, input: PageInput): void {
    this.page?.frame?.(input);
    if (!this.shown || nowMs - this.#drawnMs < (this.#dirty ? LEAST_MS : AGAIN_MS)) return;
    this.#drawnMs = nowMs;
    this.#draw();
  }

  dispose(): void {
    for (const page of this.#pages.reverse()) page.close?.();
    this.#pages = [];
    this.menu.dispose();
    this.steps.dispose();
  }

  #turn(): void {
    // Whoever presses means the page that they see: what was held on the one before is let go of.
    this.menu.letGo();
    this.#draw();
    this.changed();
  }

  #draw(): void {
    this.#dirty = false;
    const page = this.#pages.at(-1);
    if (page === undefined) return;
    this.menu.setRows([...page.rows(), ...this.notices()]);
    this.steps.setRows(this.list.rows());
    // Another page may be higher; it stays where it is otherwise.
    for (const { mesh, height } of [this.menu, this.steps]) raise(mesh, height);
  }
}
