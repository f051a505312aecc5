import { Box3, BoxGeometry, Mesh, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { NamedView } from "../state/shared/view";
import { placeCamera } from "./named-views";

const VIEWS: readonly NamedView[] = ["iso", "front", "back", "left", "right", "top", "bottom", "fit"];

describe("named views", () => {
  it.each([0.4, 1, 2.2])("show the whole robot, and not from far away, at aspect %d", (aspect) => {
    const body = new Mesh(new BoxGeometry(0.4, 1.2, 0.8));
    body.position.set(0.3, 0.6, -0.1);
    body.updateMatrixWorld(true);
    const camera = new PerspectiveCamera(40, aspect, 0.01, 100);
    camera.position.set(1, 2, 3);
    for (const view of VIEWS) {
      const { target, offset } = placeCamera(view, new Box3().setFromObject(body), camera, new Vector3());
      camera.position.copy(target).add(offset);
      camera.lookAt(target);
      camera.updateMatrixWorld(true);
      let largest = 0;
      for (let i = 0; i < 8; i++) {
        const corner = new Vector3(i & 1 ? 0.2 : -0.2, i & 2 ? 0.6 : -0.6, i & 4 ? 0.4 : -0.4);
        corner.applyMatrix4(body.matrixWorld).project(camera);
        largest = Math.max(largest, Math.abs(corner.x), Math.abs(corner.y));
      }
      expect(largest).toBeLessThan(1);
      expect(largest).toBeGreaterThan(0.75);
    }
  });

  // As drawings have it: which axes of the robot's world point right and up. Its y is three's −z.
  it.each([
    ["front", [0, 1, 0], [0, 0, 1]],
    ["back", [0, -1, 0], [0, 0, 1]],
    ["left", [-1, 0, 0], [0, 0, 1]],
    ["right", [1, 0, 0], [0, 0, 1]],
    ["top", [1, 0, 0], [0, 1, 0]],
    ["bottom", [1, 0, 0], [0, -1, 0]],
  ] as const)("look from the %s with these axes to the right and upwards", (view, right, up) => {
    const body = new Mesh(new BoxGeometry(1, 1, 1));
    body.updateMatrixWorld(true);
    const camera = new PerspectiveCamera(40, 1, 0.01, 100);
    const { target, offset } = placeCamera(view, new Box3().setFromObject(body), camera, new Vector3());
    camera.position.copy(target).add(offset);
    camera.lookAt(target);
    camera.updateMatrixWorld(true);
    const seen = ([x, y, z]: readonly [number, number, number]) =>
      new Vector3(0.4 * x, 0.4 * z, -0.4 * y).project(camera);
    expect(seen(right).x).toBeGreaterThan(0.1);
    expect(Math.abs(seen(right).y)).toBeLessThan(0.05);
    expect(seen(up).y).toBeGreaterThan(0.1);
    expect(Math.abs(seen(up).x)).toBeLessThan(0.05);
  });
});
