/** MeasureView: the tape measure. Finds corners and middles near the pointer, and draws the way between two places. */

import { Vector3 } from "three";
import { anchorsOf, type Measuring, measure, type Spot } from "../state/shared/measurement";
import type { Vector } from "../state/shared/rotations";
import type { CellObjects } from "./cell-objects";
import type { CellPicking, Hit } from "./cell-picking";
import { NearLine } from "./near-line";
import type { Viewport } from "./viewport";

/** A corner that is nearer than this to the pointer is meant. */
const PULL_PX = 16;

export class MeasureView {
  readonly #line = new NearLine("#f5b301");
  readonly #mark = new NearLine("#f5b301");
  readonly #point = new Vector3();
  readonly #other = new Vector3();
  readonly #leaving: (() => void)[];

  constructor(
    private readonly viewport: Viewport,
    private readonly objects: CellObjects,
    private readonly measuring: Measuring,
    private readonly write: (metres: number) => string,
  ) {
    viewport.world.add(this.#line.node, this.#mark.node);
    const draw = (): void => this.#draw();
    this.#leaving = [measuring.here, measuring.from, measuring.to].map((store) => store.subscribe(draw));
  }

  /** The pointer has moved. */
  look(picking: CellPicking): void {
    const hit = picking.hit();
    if (hit !== null) {
      this.measuring.here.set(this.#spot(hit, picking));
      return;
    }
    const floor = picking.floor(this.#point);
    this.measuring.here.set(floor === null ? null : { at: [floor.x, floor.y, 0], on: "", sharp: false });
  }

  /** Nothing is measured any more. */
  end(): void {
    this.measuring.here.set(null);
    this.measuring.clear();
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    this.#line.dispose();
    this.#mark.dispose();
  }

  #draw(): void {
    const { here, from, to } = this.measuring;
    const end = to.value ?? here.value;
    if (from.value !== null && end !== null) {
      this.#line.draw(from.value.at, end.at, this.write(measure(from.value, end).distance));
    } else {
      this.#line.hide();
    }
    if (here.value !== null && to.value === null) this.#mark.draw(here.value.at, here.value.at, "");
    else this.#mark.hide();
    this.viewport.invalidate();
  }

  #spot(hit: Hit, picking: CellPicking): Spot {
    const { x, y, z } = hit.at;
    let best: Spot = { at: [x, y, z], on: hit.name, sharp: false };
    let nearest = PULL_PX;
    for (const at of this.#anchors(hit)) {
      const far = this.#pixels(at, picking);
      if (far >= nearest) continue;
      nearest = far;
      best = { at, on: hit.name, sharp: true };
    }
    return best;
  }

  /** Corners and middles of what was hit, in the cell's world. */
  *#anchors(hit: Hit): Generator<Vector> {
    const node = this.objects.get(hit.name);
    for (const [item] of this.objects.visible()) {
      if (item.name !== hit.name || node === undefined) continue;
      for (const anchor of anchorsOf(item.shape)) {
        const { x, y, z } = this.#point.set(...anchor).applyMatrix4(node.matrix);
        yield [x, y, z];
      }
      if (item.shape.type !== "mesh") return;
    }
    const position = hit.mesh.geometry.getAttribute("position");
    const corners = hit.corners.map((index): Vector => {
      this.#other.fromBufferAttribute(position, index).applyMatrix4(hit.mesh.matrixWorld);
      return [this.#other.x, -this.#other.z, this.#other.y];
    });
    yield* corners;
  }

  /** How far a place is from the pointer on the screen. */
  #pixels(at: Vector, picking: CellPicking): number {
    const { camera, canvas, world } = this.viewport;
    this.#other
      .set(...at)
      .applyMatrix4(world.matrixWorld)
      .project(camera);
    return Math.hypot(
      ((this.#other.x - picking.pointer.x) * canvas.clientWidth) / 2,
      ((this.#other.y - picking.pointer.y) * canvas.clientHeight) / 2,
    );
  }
}
