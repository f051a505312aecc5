/** MarginShells: how near robots may come to what is selected, as faint skins round it. */

import {
  BoxGeometry,
  type BufferGeometry,
  CylinderGeometry,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  SphereGeometry,
} from "three";
import type { CellObject, Shape } from "../wire/studio";

export class MarginShells {
  readonly #material = new MeshBasicMaterial({
    color: "#e5a336",
    opacity: 0.14,
    transparent: true,
    depthWrite: false,
    toneMapped: false,
  });
  readonly #shells: Mesh[] = [];

  /** Show the margins of these, and of nothing else. */
  show(items: readonly (readonly [CellObject, Object3D])[]): void {
    this.#clear();
    for (const [{ shape, margin_m: margin = 0 }, node] of items) {
      const geometry = margin > 0 ? grown(shape, margin) : null;
      if (geometry === null) continue;
      const shell = new Mesh(geometry, this.#material);
      shell.raycast = () => undefined;
      shell.renderOrder = 3;
      node.add(shell);
      this.#shells.push(shell);
    }
  }

  dispose(): void {
    this.#clear();
    this.#material.dispose();
  }

  #clear(): void {
    for (const shell of this.#shells.splice(0)) {
      shell.removeFromParent();
      shell.geometry.dispose();
    }
  }
}

/** A shape that is larger by the margin on all sides; null for a mesh. */
function grown(shape: Shape, margin: number): BufferGeometry | null {
  switch (shape.type) {
    case "box":
      return new BoxGeometry(...(shape.size.map((side) => side + 2 * margin) as [number, number, number]));
    case "sphere":
      return new SphereGeometry(shape.radius + margin, 48, 24);
    case "cylinder": {
      const radius = shape.radius + margin;
      return new CylinderGeometry(radius, radius, shape.length + 2 * margin, 48).rotateX(Math.PI / 2);
    }
    case "mesh":
      return null;
  }
}
