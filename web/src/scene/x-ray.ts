/** XRay: lets bodies be seen through, so that frames, points and what is inside are seen. */

import { type Material, Mesh, type Object3D } from "three";
import { BODY_LAYER } from "./contact-shadow";

/** How much is left of what is seen through. */
export const XRAY_OPACITY = 0.28;

interface Solid {
  readonly opacity: number;
  readonly transparent: boolean;
  readonly depthWrite: boolean;
}

export class XRay {
  /** What bodies looked like before. */
  readonly #before = new Map<Material, Solid>();

  /** Let all bodies below a node be seen through, also those that have come since; `except`: somebody else's material. */
  show(node: Object3D, except: Material | null = null): void {
    node.traverse((object) => {
      if (!(object instanceof Mesh) || !object.layers.isEnabled(BODY_LAYER)) return;
      const { material } = object as Mesh;
      for (const one of Array.isArray(material) ? material : [material]) if (one !== except) this.#fade(one);
    });
  }

  /** Give every body back what it looked like. */
  hide(): void {
    for (const [material, before] of this.#before) {
      Object.assign(material, before);
      material.needsUpdate = true;
    }
    this.#before.clear();
  }

  #fade(material: Material): void {
    if (this.#before.has(material)) return;
    const { opacity, transparent, depthWrite } = material;
    this.#before.set(material, { opacity, transparent, depthWrite });
    material.opacity = Math.min(opacity, XRAY_OPACITY);
    material.transparent = true;
    material.depthWrite = false;
    material.needsUpdate = true;
  }
}
