import { Object3D, Ray, Vector3 } from "three";
import { expect, it } from "vitest";
import { isInside, meetPanel } from "./panel-ray";

const SIZE = { width: 0.6, height: 0.4, pixels: 600 };

function panel(): Object3D {
  const node = new Object3D();
  node.position.set(0.3, 1.4, -0.8);
  node.rotation.set(-0.2, 0.5, 0, "YXZ");
  node.scale.setScalar(2);
  node.updateMatrixWorld();
  return node;
}

/** A ray from 1.5 m before a place of the panel, given in its own metres. */
function rayTo(node: Object3D, x: number, y: number, from = 1.5): Ray {
  const at = new Vector3(x, y, 0).applyMatrix4(node.matrixWorld);
  const origin = at
    .clone()
    .addScaledVector(new Vector3(0.3, 0.2, 1).normalize().transformDirection(node.matrixWorld), from);
  return new Ray(origin, at.sub(origin).normalize());
}

it("meets every place where it is, and knows how far that is", () => {
  const node = panel();
  for (const x of [-0.29, -0.1, 0, 0.28])
    for (const y of [-0.19, 0, 0.15]) {
      const hit = meetPanel(rayTo(node, x, y), node.matrixWorld, SIZE);
      expect(hit?.x).toBeCloseTo((x + 0.3) * 1000, 6);
      expect(hit?.y).toBeCloseTo((0.2 - y) * 1000, 6);
      expect(hit?.distance).toBeCloseTo(1.5, 6);
    }
});

it("passes beside it", () => {
  const node = panel();
  expect(meetPanel(rayTo(node, 0.31, 0), node.matrixWorld, SIZE)).toBeNull();
  expect(meetPanel(rayTo(node, 0, -0.21), node.matrixWorld, SIZE)).toBeNull();
});

it("does not meet it from behind, nor when it is behind the hand", () => {
  const node = panel();
  const ray = rayTo(node, 0, 0);
  ray.direction.negate();
  expect(meetPanel(ray, node.matrixWorld, SIZE)).toBeNull();
  const behind = rayTo(node, 0, 0, -1.5);
  expect(meetPanel(behind, node.matrixWorld, SIZE)).toBeNull();
});

it("edges of neighbours belong to one of them", () => {
  const left = { x: 0, y: 0, width: 10, height: 10 };
  const right = { x: 10, y: 0, width: 10, height: 10 };
  expect([isInside(left, { x: 10, y: 5 }), isInside(right, { x: 10, y: 5 })]).toEqual([false, true]);
});
