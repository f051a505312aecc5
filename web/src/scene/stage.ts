/** Stage: the whole view. Holds what stays (floor, light, handle) and changes the robot when the session does. */

import { Vector2, Vector3 } from "three";
import type { Session } from "../state/robot/session";
import type { NamedView } from "../state/shared/view";
import type { DrawingOptions } from "./drawing";
import { Floor } from "./floor";
import { RobotStage } from "./robot-stage";
import { ToolHandle } from "./tool-handle";
import { Viewport } from "./viewport";
import { WishLine } from "./wish-line";

export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

export class Stage {
  readonly #viewport: Viewport;
  readonly #floor = new Floor();
  readonly #handle: ToolHandle;
  readonly #wishLine = new WishLine();
  readonly #leaving: (() => void)[];
  readonly #pressed = new Vector2();
  readonly #at = new Vector2();
  readonly #point = new Vector3();
  #pressedOnHandle = false;
  #robot: RobotStage | null = null;

  constructor(canvas: HTMLCanvasElement, session: Session, options: DrawingOptions) {
    const viewport = new Viewport(canvas, options);
    this.#viewport = viewport;
    this.#handle = new ToolHandle(viewport, {
      started: () => this.#robot?.startDrag(),
      moved: (wish) => this.#robot?.drag(wish),
      ended: () => this.#robot?.endDrag(),
    });
    this.#handle.setAllowed(options.handle);
    viewport.world.add(this.#floor.node, this.#wishLine.node);
    canvas.addEventListener("pointerdown", this.#pressDown);
    canvas.addEventListener("pointerup", this.#pressUp);
    const { view } = session;
    this.#leaving = [
      view.mode.subscribe((mode) => this.#handle.setMode(mode)),
      view.axes.subscribe((axes) => this.#handle.setAxes(axes)),
      session.shown.subscribe((shown) => {
        this.#robot?.dispose();
        this.#robot = null;
        if (shown.state !== "ready") return;
        this.#robot = new RobotStage(shown.robot, {
          viewport,
          floor: this.#floor,
          handle: this.#handle,
          wishLine: this.#wishLine,
          view,
          complain: (message) => session.complain(message),
        });
      }),
    ];
  }

  setTheme(dark: boolean): void {
    this.#floor.setTheme(dark);
    this.#viewport.setTheme(dark);
  }

  look(view: NamedView): void {
    this.#robot?.look(view);
  }

  get dragging(): boolean {
    return this.#handle.dragging;
  }

  /** Let go of the handle. */
  cancelDrag(): void {
    this.#handle.cancel();
  }

  /** How many pictures have been drawn. */
  get framesDrawn(): number {
    return this.#viewport.framesDrawn;
  }

  /** How many geometries and textures the graphics card holds. */
  get held(): { readonly geometries: number; readonly textures: number } {
    return this.#viewport.held;
  }

  /** True where the camera stands still and all there is to show is drawn. */
  get settled(): boolean {
    return !this.#viewport.turning && !this.#viewport.pending;
  }

  /** Where the handle is on the page, in CSS pixels. */
  handleOnPage(): ScreenPoint {
    return this.#toPage(this.#handle.getPosition(this.#point));
  }

  /** Where an arrow or ring of the handle can be grabbed, in CSS pixels of the page. */
  grabOnPage(axis: "X" | "Y" | "Z", far: number): ScreenPoint {
    return this.#toPage(this.#handle.grabPoint(axis, far, this.#point));
  }

  /** Which part of the handle the pointer is on. */
  get touched(): string | null {
    return this.#handle.touched;
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    const { canvas } = this.#viewport;
    canvas.removeEventListener("pointerdown", this.#pressDown);
    canvas.removeEventListener("pointerup", this.#pressUp);
    this.#robot?.dispose();
    this.#handle.dispose();
    this.#wishLine.dispose();
    this.#floor.dispose();
    this.#viewport.dispose();
  }

  #toPage(point: Vector3): ScreenPoint {
    const { camera, canvas } = this.#viewport;
    camera.updateMatrixWorld();
    point.project(camera);
    const box = canvas.getBoundingClientRect();
    return { x: box.left + ((point.x + 1) / 2) * box.width, y: box.top + ((1 - point.y) / 2) * box.height };
  }

  readonly #pressDown = (event: PointerEvent): void => {
    this.#pressed.set(event.clientX, event.clientY);
    this.#pressedOnHandle = this.#handle.touched !== null;
  };

  readonly #pressUp = (event: PointerEvent): void => {
    this.#at.set(event.clientX, event.clientY);
    if (this.#pressedOnHandle || this.#at.distanceTo(this.#pressed) > CLICK_PX) return;
    const box = this.#viewport.canvas.getBoundingClientRect();
    this.#at.set(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    this.#robot?.click(this.#at);
  };
}
