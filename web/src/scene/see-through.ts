/** SeeThrough: walls that stand between the eye and the robots fade, as a room is looked into from outside. */

import { Box3, Matrix4, type Object3D, Ray, Vector3 } from "three";
import type { CellObjects } from "./cell-objects";
import type { Viewport } from "./viewport";

/** What is smaller than this hides no robot. */
const LARGE_M = 0.6;
const THIN_M = 0.3;

interface Wall {
  readonly name: string;
  readonly node: Object3D;
  readonly box: Box3;
}

export class SeeThrough {
  #walls: Wall[] = [];
  readonly #focus: Vector3[] = [];
  readonly #eye = new Vector3();
  readonly #ray = new Ray();
  readonly #back = new Matrix4();
  readonly #a = new Vector3();
  readonly #b = new Vector3();
  readonly #hit = new Vector3();

  constructor(
    private readonly viewport: Viewport,
    private readonly objects: CellObjects,
  ) {
    viewport.beforeFrame.add(this.#update);
  }

  /** Take the walls of the cell again, and what must be seen: these rooms, in three's axes. */
  update(seen: Iterable<Box3>): void {
    this.#walls = [];
    for (const [item, node] of this.objects.visible()) {
      if (item.shape.type !== "box" || this.objects.isGround(item.name)) continue;
      const [x, y, z] = item.shape.size;
      const sides = [x, y, z].sort((a, b) => a - b);
      if ((sides[0] ?? 0) > THIN_M || (sides[2] ?? 0) < LARGE_M) continue;
      // What lies, like a table, is looked down on.
      if (z < 0.2) continue;
      const half = new Vector3(x / 2, y / 2, z / 2);
      this.#walls.push({ name: item.name, node, box: new Box3(half.clone().negate(), half) });
    }
    this.#focus.length = 0;
    for (const box of seen) {
      if (box.isEmpty()) continue;
      const centre = box.getCenter(new Vector3());
      this.#focus.push(
        centre,
        new Vector3(centre.x, box.max.y, centre.z),
        new Vector3(centre.x, box.min.y + 0.05, centre.z),
      );
    }
  }

  /** True where something stands between a place (three's axes) and the robots. */
  isHidden(from: Vector3): boolean {
    return this.#walls.some((wall) => this.#hides(wall, from));
  }

  dispose(): void {
    this.viewport.beforeFrame.delete(this.#update);
  }

  readonly #update = (): boolean => {
    this.#eye.copy(this.viewport.camera.position);
    // Who is in the cell walks round a wall, or through it.
    const inside = this.viewport.presenting;
    for (const wall of this.#walls) this.objects.fade(wall.name, !inside && this.#hides(wall, this.#eye));
    return false;
  };

  #hides({ node, box }: Wall, eye: Vector3): boolean {
    this.#back.copy(node.matrixWorld).invert();
    this.#a.copy(eye).applyMatrix4(this.#back);
    for (const point of this.#focus) {
      this.#b.copy(point).applyMatrix4(this.#back);
      const far = this.#b.distanceTo(this.#a);
      this.#ray.origin.copy(this.#a);
      this.#ray.direction.copy(this.#b).sub(this.#a).normalize();
      const hit = this.#ray.intersectBox(box, this.#hit);
      if (hit !== null && hit.distanceTo(this.#a) < far) return true;
    }
    return false;
  }
}
