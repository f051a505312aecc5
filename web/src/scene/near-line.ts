/** NearLine: the shortest way between two bodies, with its length and their names. */

import {
  BufferAttribute,
  BufferGeometry,
  Line,
  LineBasicMaterial,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  SphereGeometry,
  type Sprite,
} from "three";
import type { Vector } from "../state/shared/rotations";
import { discard } from "./discard";
import { makeLabel } from "./labels";

export class NearLine {
  readonly node = new Object3D();
  readonly #points = new BufferAttribute(new Float32Array(6), 3);
  readonly #line: Line<BufferGeometry, LineBasicMaterial>;
  readonly #ball = new SphereGeometry(0.005, 16, 12);
  readonly #balls: MeshBasicMaterial;
  readonly #ends: readonly [Mesh, Mesh];
  #label: Sprite | null = null;
  #text = "";

  constructor(color: string) {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.#points);
    this.#line = new Line(geometry, new LineBasicMaterial({ color, depthTest: false, toneMapped: false }));
    this.#line.frustumCulled = false;
    this.#balls = new MeshBasicMaterial({ color, depthTest: false, toneMapped: false });
    this.#ends = [new Mesh(this.#ball, this.#balls), new Mesh(this.#ball, this.#balls)];
    this.node.add(this.#line, ...this.#ends);
    this.node.traverse((child) => {
      child.renderOrder = 6;
      child.raycast = () => undefined;
    });
    this.node.visible = false;
  }

  setColor(color: string): void {
    this.#line.material.color.set(color);
    this.#balls.color.set(color);
  }

  /** Both ends in the cell's world; no label where `text` is empty. */
  draw(from: Vector, to: Vector, text: string): void {
    this.#points.setXYZ(0, ...from);
    this.#points.setXYZ(1, ...to);
    this.#points.needsUpdate = true;
    this.#ends[0].position.set(...from);
    this.#ends[1].position.set(...to);
    this.node.visible = true;
    if (text !== this.#text) this.#write(text);
    this.#label?.position.set((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2);
  }

  hide(): void {
    this.node.visible = false;
  }

  dispose(): void {
    this.node.removeFromParent();
    this.#write("");
    this.#line.geometry.dispose();
    this.#line.material.dispose();
    this.#ball.dispose();
    this.#balls.dispose();
  }

  #write(text: string): void {
    this.#text = text;
    if (this.#label !== null) discard(this.#label);
    this.#label = text === "" ? null : makeLabel(text);
    if (this.#label === null) return;
    this.#label.raycast = () => undefined;
    this.node.add(this.#label);
  }
}
