/** Freeing what the graphics card holds. */

import { type Material, Mesh, type Object3D, Sprite, Texture } from "three";

/** Free geometry, materials and textures of everything below `node`, and take it out of its parent. */
export function discard(node: Object3D): void {
  node.removeFromParent();
  node.traverse((child) => {
    if (child instanceof Sprite) {
      child.material.map?.dispose();
      child.material.dispose();
    } else if (child instanceof Mesh || "geometry" in child) {
      const { geometry, material } = child as Mesh;
      geometry.dispose();
      for (const one of Array.isArray(material) ? material : [material]) discardMaterial(one);
    }
  });
}

function discardMaterial(material: Material): void {
  for (const value of Object.values(material) as unknown[]) {
    if (value instanceof Texture) value.dispose();
  }
  material.dispose();
}
