import { Box3, BoxGeometry, Mesh, PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { NamedView } from "../state/shared/view";
import { placeCamera } from "./named-views";

const VIEWS: readonly NamedView[] = ["iso", "front", "left", "top", "fit"];

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

  it("look from above with x to the right and y upwards", () => {
    const body = new Mesh(new BoxGeometry(1, 1, 1));
    body.updateMatrixWorld(true);
    const camera = new PerspectiveCamera(40, 1, 0.01, 100);
    const { target, offset } = placeCamera("top", new Box3().setFromObject(body), camera, new Vector3());
    camera.position.copy(target).add(offset);
    camera.lookAt(target);
    camera.updateMatrixWorld(true);
    // The robot's y is three's −z.
    expect(new Vector3(0, 0, -0.4).project(camera).y).toBeGreaterThan(0.1);
    expect(new Vector3(0.4, 0, 0).project(camera).x).toBeGreaterThan(0.1);
  });
});
