/** ReachOverlay: the space a flange can reach, as a translucent body of revolution. */

import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  ShapeUtils,
  Vector2,
} from "three";
import type { Reach } from "../wire/generated";
import { discard } from "./discard";

const SECTOR_RAD = Math.PI / 48;
const COLOUR = "#3b82f6";

export class ReachOverlay {
  /** Hangs in the frame of the arm's base. */
  readonly node = new Object3D();

  constructor(reach: Reach) {
    const { position, triangles, lines } = makeSurface(reach);
    const skin = new BufferGeometry();
    skin.setAttribute("position", new BufferAttribute(position, 3));
    skin.setIndex(triangles);
    const material = new MeshBasicMaterial({
      color: COLOUR,
      transparent: true,
      opacity: 0.09,
      side: DoubleSide,
      depthWrite: false,
      toneMapped: false,
    });
    const wire = new BufferGeometry();
    wire.setAttribute("position", new BufferAttribute(position, 3));
    wire.setIndex(lines);
    const ink = new LineBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.4, depthWrite: false });
    this.node.add(new Mesh(skin, material), new LineSegments(wire, ink));
    this.node.position.set(...reach.origin.xyz);
    const [w, x, y, z] = reach.origin.wxyz;
    this.node.quaternion.set(x, y, z, w);
  }

  dispose(): void {
    discard(this.node);
  }
}

/** Turn the profile about z; close the two ends where it does not go all the way round. */
export function makeSurface(reach: Reach): {
  position: Float32Array;
  triangles: number[];
  lines: number[];
} {
  const { profile } = reach;
  const [from, to] = reach.turn;
  const turn = Math.min(2 * Math.PI, to - from);
  const whole = turn > 2 * Math.PI - 1e-6;
  const sectors = Math.max(1, Math.ceil(turn / SECTOR_RAD));
  const position = new Float32Array(3 * (sectors + 1) * profile.length);
  const triangles: number[] = [];
  const lines: number[] = [];
  const n = profile.length;
  const meridianEvery = Math.max(1, Math.round(Math.PI / 6 / (turn / sectors)));
  for (let i = 0; i <= sectors; i++) {
    const angle = from + (turn * i) / sectors;
    for (let k = 0; k < n; k++) {
      const [radius, height] = profile[k] as readonly [number, number];
      position.set([radius * Math.cos(angle), radius * Math.sin(angle), height], 3 * (i * n + k));
      const next = (k + 1) % n;
      if (i < sectors) {
        const [a, b] = [i * n + k, i * n + next];
        triangles.push(a, b, a + n, b, b + n, a + n);
      }
      const isEnd = !whole && (i === 0 || i === sectors);
      if (isEnd || (i % meridianEvery === 0 && i < sectors)) lines.push(i * n + k, i * n + next);
    }
  }
  if (!whole) {
    const outline = profile.map(([radius, height]) => new Vector2(radius, height));
    for (const [a = 0, b = 0, c = 0] of ShapeUtils.triangulateShape(outline, [])) {
      triangles.push(a, b, c, sectors * n + a, sectors * n + b, sectors * n + c);
    }
  }
  return { position, triangles, lines };
}
