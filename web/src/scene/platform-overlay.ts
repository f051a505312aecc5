/** PlatformOverlay: the free space that a platform keeps around itself, and where its camera looks. */

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Path,
  Shape,
  ShapeGeometry,
} from "three";
import type { PlatformInfo } from "../wire/generated";
import { discard } from "./discard";

const AMBER = "#d9921a";
const BLUE = "#3b82f6";
/** A usual mast camera; only to show where it looks. */
const VIEW = {
  depth: 0.9,
  halfWidth: 0.9 * Math.tan((32 * Math.PI) / 180),
  halfHeight: 0.9 * Math.tan((24 * Math.PI) / 180),
};

export class PlatformOverlay {
  readonly #margin: Object3D;
  readonly #frustum: Object3D;

  /**
   * @param body The platform's body, its origin on the floor; x forward.
   * @param camera The camera's frame; it looks along +x.
   */
  constructor(info: PlatformInfo, body: Object3D, camera: Object3D | undefined) {
    this.#margin = makeMargin(info);
    this.#frustum = makeFrustum();
    body.add(this.#margin);
    camera?.add(this.#frustum);
  }

  dispose(): void {
    discard(this.#margin);
    discard(this.#frustum);
  }
}

function makeMargin({ size, margin }: PlatformInfo): Object3D {
  const [length = 0, width = 0] = size;
  const shape = new Shape();
  traceRounded(shape, length / 2 + margin, width / 2 + margin, margin);
  const hole = new Path();
  traceRounded(hole, length / 2, width / 2, 0.001);
  shape.holes.push(hole);
  const band = new Mesh(
    new ShapeGeometry(shape, 12),
    new MeshBasicMaterial({
      color: AMBER,
      transparent: true,
      opacity: 0.16,
      side: DoubleSide,
      depthWrite: false,
    }),
  );
  const points = shape.getPoints(12);
  const position = new Float32Array(points.flatMap(({ x, y }) => [x, y, 0]));
  const outline = new BufferGeometry();
  outline.setAttribute("position", new BufferAttribute(position, 3));
  outline.setIndex(points.flatMap((_, i) => [i, (i + 1) % points.length]));
  band.add(
    new LineSegments(outline, new LineBasicMaterial({ color: AMBER, transparent: true, opacity: 0.9 })),
  );
  band.position.z = 0.002;
  return band;
}

/** Draw a rectangle with round corners about the origin, from its half sizes. */
function traceRounded(path: Path, x: number, y: number, radius: number): void {
  path.moveTo(x, -y + radius);
  path.lineTo(x, y - radius);
  path.absarc(x - radius, y - radius, radius, 0, Math.PI / 2, false);
  path.absarc(-x + radius, y - radius, radius, Math.PI / 2, Math.PI, false);
  path.absarc(-x + radius, -y + radius, radius, Math.PI, 1.5 * Math.PI, false);
  path.absarc(x - radius, -y + radius, radius, 1.5 * Math.PI, 2 * Math.PI, false);
}

function makeFrustum(): Object3D {
  const { depth, halfWidth: w, halfHeight: h } = VIEW;
  const position = new Float32Array([0, 0, 0, depth, w, h, depth, -w, h, depth, -w, -h, depth, w, -h]);
  const attribute = new BufferAttribute(position, 3);
  const sides = new BufferGeometry();
  sides.setAttribute("position", attribute);
  sides.setIndex([0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1]);
  const edges = new BufferGeometry();
  edges.setAttribute("position", attribute);
  edges.setIndex([0, 1, 0, 2, 0, 3, 0, 4, 1, 2, 2, 3, 3, 4, 4, 1]);
  const glass = new MeshBasicMaterial({
    color: BLUE,
    transparent: true,
    opacity: 0.07,
    side: DoubleSide,
    depthWrite: false,
  });
  const body = new Mesh(sides, glass);
  body.add(new LineSegments(edges, new LineBasicMaterial({ color: BLUE, transparent: true, opacity: 0.75 })));
  return body;
}
