/**
 * ToolHandle: the arrows and rings at the tool that a person drags. It only tells where the person
 * wants the tool; whoever listens moves the arm and puts the handle back onto it.
 */

import { Box3, type BufferAttribute, Matrix4, Mesh, Object3D, Quaternion, type Ray, Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { HandleAxes, HandleMode } from "../state/shared/view";
import type { Viewport } from "./viewport";

export interface HandleEvents {
  readonly started: () => void;
  /** The person wants the tool here, in the robot's world. The matrix is only lent. */
  readonly moved: (T_world_wish: Matrix4) => void;
  readonly ended: () => void;
}

const AXES = ["#e5484d", "#2f9e62", "#3b82f6"] as const;
const HELD = "#f5b301";
const UNREACHED = "#ff3b30";
/** The handle has the usual size of the controls in a picture of this height. */
const SIZE_PX = 590;
const ONE = new Vector3(1, 1, 1);

export class ToolHandle {
  readonly #controls: TransformControls;
  /** What the controls move; in world axes it is turned like the world, in tool axes like the tool. */
  readonly #grip = new Object3D();
  readonly #toolPosition = new Vector3();
  readonly #toolTurn = new Quaternion();
  readonly #gripTurn = new Quaternion();
  readonly #scale = new Vector3();
  readonly #turn = new Quaternion();
  readonly #eye = new Vector3();
  readonly #T_world_wish = new Matrix4();
  #axes: HandleAxes = "world";
  #flat = false;
  /** True where it is shown. */
  #shown = false;
  #allowed = true;
  #unreached = false;

  constructor(
    private readonly viewport: Viewport,
    private readonly events: HandleEvents,
  ) {
    this.#controls = new TransformControls(viewport.camera, viewport.canvas);
    this.#controls.setSpace("local");
    this.#controls.setColors(...AXES, HELD);
    dropBackArrows(this.#controls.getHelper());
    this.#controls.addEventListener("change", viewport.invalidate);
    // The plane in which it is dragged follows the axis with the next picture only; a quick hand does not wait for it.
    this.#controls.addEventListener("axis-changed", () => this.#controls.getHelper().updateMatrixWorld(true));
    this.#controls.addEventListener("dragging-changed", ({ value }) => {
      viewport.orbit.enabled = value !== true;
      if (value !== true) this.#finish();
    });
    this.#controls.addEventListener("mouseDown", () => {
      this.#gripTurn.copy(this.#grip.quaternion);
      events.started();
    });
    this.#controls.addEventListener("objectChange", () => this.#emit());
    viewport.resized.add(this.#fit);
    this.#fit(viewport.canvas.clientHeight);
    viewport.world.add(this.#grip);
    viewport.scene.add(this.#controls.getHelper());
    viewport.onlyOutside.add(this.#controls.getHelper());
    this.show(false);
  }

  get dragging(): boolean {
    return this.#controls.dragging;
  }

  /** Which arrow ("X"), plane ("XY") or ring the pointer is on or holds; null: none. */
  get touched(): string | null {
    return this.#controls.axis;
  }

  /** Switch the handle off for good, for pictures of the robot alone. */
  setAllowed(allowed: boolean): void {
    this.#allowed = allowed;
  }

  show(visible: boolean): void {
    this.#shown = visible && this.#allowed;
    if (this.#shown) this.#controls.attach(this.#grip);
    else this.#controls.detach();
    this.viewport.invalidate();
  }

  /** The tool is here now, in the robot's world. While it is dragged, the handle stays in the person's hand. */
  place(T_world_tool: Matrix4): void {
    if (this.dragging) return;
    T_world_tool.decompose(this.#toolPosition, this.#toolTurn, this.#scale);
    this.#settle();
  }

  setMode(mode: HandleMode): void {
    this.#controls.setMode(mode === "move" ? "translate" : "rotate");
    this.#showArrows();
  }

  setAxes(axes: HandleAxes): void {
    this.#axes = axes;
    if (!this.dragging) this.#settle();
    this.viewport.invalidate();
  }

  /** Drag in steps of so many metres and radians; null: smoothly. */
  setSnap(move: number | null, turn: number | null): void {
    this.#controls.translationSnap = move;
    this.#controls.rotationSnap = turn;
  }

  /** A platform is pushed about the floor: no arrow up, one ring. */
  setFlat(flat: boolean): void {
    this.#flat = flat;
    this.#showArrows();
  }

  /** Red where the wish cannot be had. */
  setUnreached(unreached: boolean): void {
    if (unreached === this.#unreached) return;
    this.#unreached = unreached;
    if (unreached) this.#controls.setColors(UNREACHED, UNREACHED, UNREACHED, UNREACHED);
    else this.#controls.setColors(...AXES, HELD);
    this.viewport.invalidate();
  }

  /** A hand points along a ray (three's axes): what it meets of the handle lights up, or is dragged; null: elsewhere. */
  aim(ray: Ray | null): void {
    if (!this.#shown) return;
    if (ray === null) {
      if (!this.dragging) this.#controls.axis = null;
      return;
    }
    this.#controls.getRaycaster().ray.copy(ray);
    // Without a place on the page, the controls take the ray as it is.
    if (this.dragging) this.#controls.pointerMove(null);
    else this.#controls.pointerHover(null);
  }

  /** The hand closes on what its ray meets; return whether that is a part of the handle. */
  press(): boolean {
    if (!this.#shown || this.#controls.axis === null) return false;
    this.#controls.pointerDown(null);
    return this.dragging;
  }

  release(): void {
    if (this.dragging) this.#controls.pointerUp(null);
  }

  /** Let go without a further wish. */
  cancel(): void {
    if (!this.dragging) return;
    this.#controls.dragging = false;
    this.#controls.axis = null;
  }

  /** A point on the ring of an axis, or this far along its arrow, where it can be grabbed, in three's world. */
  grabPoint(axis: "X" | "Y" | "Z", far: number, out: Vector3): Vector3 {
    const { camera } = this.viewport;
    this.#grip.getWorldPosition(out);
    // As TransformControls sizes itself: constant on the screen.
    const size =
      (out.distanceTo(camera.position) * 1.9 * Math.tan((Math.PI * camera.fov) / 360) * this.#controls.size) /
      4;
    const along = this.#scale.set(axis === "X" ? 1 : 0, axis === "Y" ? 1 : 0, axis === "Z" ? 1 : 0);
    along.applyQuaternion(this.#grip.getWorldQuaternion(this.#turn));
    if (this.#controls.mode === "translate") return out.addScaledVector(along, far * size);
    // The point of the ring that is nearest to the camera: across the axis, towards the eye.
    const eye = this.#eye.copy(camera.position).sub(out);
    eye.addScaledVector(along, -eye.dot(along)).normalize();
    return out.addScaledVector(eye, 0.5 * size);
  }

  /** The middle of the handle, in three's world. */
  getPosition(out: Vector3): Vector3 {
    return this.#grip.getWorldPosition(out);
  }

  dispose(): void {
    this.viewport.resized.delete(this.#fit);
    this.#controls.detach();
    this.viewport.onlyOutside.delete(this.#controls.getHelper());
    this.#controls.getHelper().removeFromParent();
    this.#controls.dispose();
    this.#grip.removeFromParent();
  }

  /** The controls size themselves by the picture's height; keep them the same for the hand. */
  readonly #fit = (heightPx: number): void => {
    this.#controls.setSize(Math.min(1.2, SIZE_PX / Math.max(1, heightPx)));
  };

  #settle(): void {
    this.#grip.position.copy(this.#toolPosition);
    if (this.#axes === "tool") this.#grip.quaternion.copy(this.#toolTurn);
    else this.#grip.quaternion.identity();
    this.#grip.updateMatrixWorld(true);
    this.viewport.invalidate();
  }

  #emit(): void {
    // What the grip has been turned by since the drag began, applied to how the tool stood then.
    this.#turn.copy(this.#gripTurn).invert().premultiply(this.#grip.quaternion).multiply(this.#toolTurn);
    this.#T_world_wish.compose(this.#grip.position, this.#turn, ONE);
    this.events.moved(this.#T_world_wish);
  }

  #finish(): void {
    this.events.ended();
  }

  #showArrows(): void {
    const turning = this.#controls.mode === "rotate";
    this.#controls.showX = this.#controls.showY = !(this.#flat && turning);
    this.#controls.showZ = !(this.#flat && !turning);
    this.viewport.invalidate();
  }
}

/** Take away the arrow heads at the negative ends: they have no shaft, and hide the robot. */
function dropBackArrows(helper: Object3D): void {
  const box = new Box3();
  const back: Mesh[] = [];
  helper.traverse((part) => {
    const axis = ["X", "Y", "Z"].indexOf(part.name);
    if (axis < 0 || !(part instanceof Mesh)) return;
    const mesh = part as Mesh;
    box.setFromBufferAttribute(mesh.geometry.getAttribute("position") as BufferAttribute);
    if (box.max.getComponent(axis) < 1e-6) back.push(mesh);
  });
  for (const part of back) {
    part.removeFromParent();
    part.geometry.dispose();
  }
}
