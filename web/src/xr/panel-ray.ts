/** Where a ray meets a panel, and which element is there. */

import { Matrix4, type Ray, Vector3 } from "three";

/** A place on a panel: pixels from its top left, and how far along the ray it is, metres of the ray's space. */
export interface PanelHit {
  readonly x: number;
  readonly y: number;
  readonly distance: number;
}

/** A rectangle of a panel, pixels from its top left. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const back = new Matrix4();
const origin = new Vector3();
const direction = new Vector3();
const at = new Vector3();

/**
 * Meet a panel that lies in the plane z = 0 of `matrixWorld`, its middle at the origin, `width` × `height` metres there and
 * `pixels` wide; null: the ray passes it by, or comes from behind.
 */
export function meetPanel(
  ray: Ray,
  matrixWorld: Matrix4,
  size: { readonly width: number; readonly height: number; readonly pixels: number },
): PanelHit | null {
  back.copy(matrixWorld).invert();
  origin.copy(ray.origin).applyMatrix4(back);
  direction.copy(ray.direction).transformDirection(back);
  if (origin.z <= 0 || direction.z >= -1e-6) return null;
  at.copy(origin).addScaledVector(direction, -origin.z / direction.z);
  if (Math.abs(at.x) > size.width / 2 || Math.abs(at.y) > size.height / 2) return null;
  const scale = size.pixels / size.width;
  const x = (at.x + size.width / 2) * scale;
  const y = (size.height / 2 - at.y) * scale;
  return { x, y, distance: at.applyMatrix4(matrixWorld).distanceTo(ray.origin) };
}

export function isInside(
  { x, y, width, height }: Box,
  at: { readonly x: number; readonly y: number },
): boolean {
  return at.x >= x && at.x < x + width && at.y >= y && at.y < y + height;
}
