/** TargetLine: a dashed red line from the tool to where the person wants it and it cannot be. */

import { BufferAttribute, BufferGeometry, Line, LineDashedMaterial, type Vector3 } from "three";

export class TargetLine {
  readonly node: Line<BufferGeometry, LineDashedMaterial>;
  readonly #points = new BufferAttribute(new Float32Array(6), 3);

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.#points);
    const material = new LineDashedMaterial({
      color: "#ff3b30",
      dashSize: 0.014,
      gapSize: 0.01,
      depthTest: false,
    });
    this.node = new Line(geometry, material);
    this.node.renderOrder = 5;
    this.node.frustumCulled = false;
    this.node.visible = false;
  }

  /** Both ends in the robot's world. */
  draw(from: Vector3, to: Vector3): void {
    this.#points.setXYZ(0, from.x, from.y, from.z);
    this.#points.setXYZ(1, to.x, to.y, to.z);
    this.#points.needsUpdate = true;
    this.node.computeLineDistances();
    this.node.visible = true;
  }

  hide(): void {
    this.node.visible = false;
  }

  dispose(): void {
    this.node.geometry.dispose();
    this.node.material.dispose();
  }
}
