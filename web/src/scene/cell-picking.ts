/** CellPicking: what is under the pointer, and what a click there means. */

import { Mesh, type Object3D, type Ray, Raycaster, Vector2, Vector3 } from "three";
import type { CellMarks } from "./cell-marks";
import type { CellObjects } from "./cell-objects";
import type { CellRobots } from "./cell-robots";
import { toRobotWorld } from "./up";
import type { Viewport } from "./viewport";

export interface PickingEvents {
  readonly hovered: (name: string | null) => void;
  readonly clicked: (name: string | null, more: boolean) => void;
  /** True where a press belongs to something else, as the handle. */
  readonly isTaken: () => boolean;
}

/** Where the pointer meets a body. */
export interface Hit {
  readonly name: string;
  /** In the cell's world. */
  readonly at: Vector3;
  /** From the eye, metres. */
  readonly distance: number;
  readonly mesh: Mesh;
  /** Which way the surface looks there, in the cell's world. */
  readonly normal: Vector3;
  /** Corners of the triangle that was met, as numbers of the mesh's own points. */
  readonly corners: readonly number[];
}

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

export class CellPicking {
  /** Where the pointer is in the picture, −1 to 1. */
  readonly pointer = new Vector2();
  readonly #raycaster = new Raycaster();
  readonly #pressed = new Vector2(Infinity, Infinity);
  readonly #at = new Vector2();
  #taken = false;
  #moved = false;
  #down = false;

  constructor(
    private readonly viewport: Viewport,
    private readonly robots: CellRobots,
    private readonly objects: CellObjects,
    private readonly marks: CellMarks,
    private readonly events: PickingEvents,
  ) {
    const { canvas } = viewport;
    canvas.addEventListener("pointerdown", this.#press);
    canvas.addEventListener("pointerup", this.#release);
    canvas.addEventListener("pointermove", this.#move);
    canvas.addEventListener("pointerleave", this.#leave);
    viewport.beforeFrame.add(this.#update);
  }

  /** The nearest thing under the pointer. */
  pick(): string | null {
    this.#aim();
    const body = this.#first([]);
    // A point inside a body is not seen; the body is meant then.
    return this.marks.pick(this.#raycaster, body?.distance ?? Infinity) ?? body?.name ?? null;
  }

  /** Where the pointer meets a body that is none of `without`. */
  hit(without: readonly string[] = []): Hit | null {
    this.#aim();
    return this.#first(without);
  }

  /** Where a ray (three's axes) meets a body. */
  hitAlong({ origin, direction }: Ray): Hit | null {
    this.viewport.world.updateMatrixWorld();
    this.#raycaster.set(origin, direction);
    return this.#first([]);
  }

  /** Where the pointer meets the floor, in the cell's world. */
  floor(out: Vector3): Vector3 | null {
    this.#aim();
    const { origin, direction } = this.#raycaster.ray;
    if (direction.y > -1e-3) return null;
    return toRobotWorld(out.copy(origin).addScaledVector(direction, -origin.y / direction.y));
  }

  dispose(): void {
    const { canvas } = this.viewport;
    canvas.removeEventListener("pointerdown", this.#press);
    canvas.removeEventListener("pointerup", this.#release);
    canvas.removeEventListener("pointermove", this.#move);
    canvas.removeEventListener("pointerleave", this.#leave);
    this.viewport.beforeFrame.delete(this.#update);
  }

  /** Things may have been moved since the last picture; what is there now is meant. */
  #aim(): void {
    this.viewport.world.updateMatrixWorld();
    this.#raycaster.setFromCamera(this.pointer, this.viewport.camera);
  }

  #first(without: readonly string[]): Hit | null {
    const hits = this.#raycaster.intersectObjects([this.robots.node, this.objects.node], true);
    for (const { object, point, face, distance } of hits) {
      const name = this.robots.nameOf(object) ?? this.objects.nameOf(object);
      if (name === undefined || without.includes(name) || !isShown(object) || !(object instanceof Mesh))
        continue;
      if (this.objects.isGround(name) || this.objects.isFaded(name)) continue;
      const corners = face === null || face === undefined ? [] : [face.a, face.b, face.c];
      const normal = toRobotWorld(
        face === null || face === undefined
          ? new Vector3(0, 1, 0)
          : face.normal.clone().transformDirection(object.matrixWorld),
      );
      // A surface that is seen from behind is meant the way it is seen.
      if (normal.dot(toRobotWorld(this.#raycaster.ray.direction.clone())) > 0) normal.negate();
      return { name, at: toRobotWorld(point.clone()), distance, mesh: object as Mesh, normal, corners };
    }
    return null;
  }

  #locate(event: PointerEvent): void {
    const box = this.viewport.canvas.getBoundingClientRect();
    this.pointer.set(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
  }

  readonly #press = (event: PointerEvent): void => {
    this.#locate(event);
    this.#down = true;
    this.#taken = event.button !== 0 || this.events.isTaken();
    this.#pressed.set(event.clientX, event.clientY);
  };

  readonly #release = (event: PointerEvent): void => {
    this.#down = false;
    this.#locate(event);
    const far = this.#at.set(event.clientX, event.clientY).distanceTo(this.#pressed);
    if (this.#taken || far > CLICK_PX) return;
    this.events.clicked(this.pick(), event.shiftKey || event.ctrlKey || event.metaKey);
  };

  readonly #move = (event: PointerEvent): void => {
    this.#locate(event);
    if (this.#down || event.pointerType === "touch") return;
    this.#moved = true;
    this.viewport.invalidate();
  };

  readonly #leave = (): void => {
    this.#moved = false;
    this.events.hovered(null);
  };

  /** Once for a picture is enough, however fast the pointer tells where it is. */
  readonly #update = (): boolean => {
    if (!this.#moved || this.#down) return false;
    this.#moved = false;
    this.events.hovered(this.events.isTaken() ? null : this.pick());
    return false;
  };
}

function isShown(object: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null; node = node.parent) if (!node.visible) return false;
  return true;
}
