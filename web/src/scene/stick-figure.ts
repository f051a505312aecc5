/** StickFigure: a robot as lines from joint to joint, shown while its bodies are on their way. */

import {
  BufferGeometry,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  SphereGeometry,
} from "three";
import type { URDFJoint } from "urdf-loader";

const COLOUR = "#3b82f6";

export class StickFigure {
  readonly #line = new LineBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.7 });
  readonly #dot = new MeshBasicMaterial({ color: COLOUR, transparent: true, opacity: 0.7 });
  readonly #ball = new SphereGeometry(0.012, 16, 10);
  /** They hang on the robot's links and move with them. */
  readonly #parts: Object3D[] = [];
  readonly #geometries: BufferGeometry[] = [];

  constructor(joints: readonly URDFJoint[]) {
    for (const joint of joints) {
      if (joint.parent === null) continue;
      const { x, y, z } = joint.position;
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute([0, 0, 0, x, y, z], 3));
      this.#geometries.push(geometry);
      this.#hang(new LineSegments(geometry, this.#line), joint.parent);
      if (joint.jointType !== "fixed") this.#hang(new Mesh(this.#ball, this.#dot), joint);
    }
  }

  /** Take it away; more than once does no harm. */
  dispose(): void {
    for (const part of this.#parts) part.removeFromParent();
    for (const geometry of this.#geometries) geometry.dispose();
    this.#ball.dispose();
    this.#line.dispose();
    this.#dot.dispose();
  }

  #hang(part: Object3D, parent: Object3D): void {
    parent.add(part);
    this.#parts.push(part);
  }
}
