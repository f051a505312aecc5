import { Euler, Object3D, Quaternion, Vector3 } from "three";
import { expect, it } from "vitest";
import { BEFORE_M, horizontal, placeBefore, raise } from "./panel-place";

const HEIGHT_M = 0.6;

/** Heads everywhere, looking anywhere, tilted to any side. */
function* heads(): Generator<Object3D> {
  for (const y of [0.3, 1, 1.7])
    for (const pitch of [-1.5, -0.6, 0, 0.6, 1.5])
      for (const yaw of [-3, -1, 0, 2])
        for (const roll of [-1, 0, 0.7]) {
          const head = new Object3D();
          head.position.set(0.4, y, -1.3);
          head.quaternion.setFromEuler(new Euler(pitch, yaw, roll, "YXZ"));
          yield head;
        }
}

const axis = (node: Object3D, x: number, y: number, z: number): Vector3 =>
  new Vector3(x, y, z).applyQuaternion(node.quaternion);

it("opens before the person and faces them", () => {
  for (const head of heads()) {
    const panel = new Object3D();
    placeBefore(panel, head, HEIGHT_M);
    const there = panel.position.clone().sub(head.position);
    expect(Math.hypot(there.x, there.z)).toBeCloseTo(BEFORE_M, 6);
    // Its front looks at the eyes.
    expect(axis(panel, 0, 0, 1).angleTo(there.negate())).toBeLessThan(1e-6);
  }
});

it("is on the side to which the person looks", () => {
  for (const head of heads()) {
    const ahead = axis(head, 0, 0, -1);
    if (Math.hypot(ahead.x, ahead.z) < 0.3) continue;
    const panel = new Object3D();
    placeBefore(panel, head, HEIGHT_M);
    const there = panel.position.clone().sub(head.position);
    there.y = ahead.y = 0;
    expect(there.angleTo(ahead)).toBeLessThan(1e-6);
  }
});

it("never rolls, and is never upside down", () => {
  for (const head of heads()) {
    const panel = new Object3D();
    placeBefore(panel, head, HEIGHT_M);
    expect(axis(panel, 1, 0, 0).y).toBeCloseTo(0, 9);
    expect(axis(panel, 0, 1, 0).y).toBeGreaterThan(0);
  }
});

it("never sinks below the floor", () => {
  for (const head of heads())
    for (const height of [0.2, HEIGHT_M, 1.4]) {
      const panel = new Object3D();
      placeBefore(panel, head, height);
      const lowest = panel.position.y - (height / 2) * axis(panel, 0, 1, 0).y;
      expect(lowest).toBeGreaterThan(0);
    }
});

it("a panel aside stands to the left of the one before the person, and faces them too", () => {
  const head = new Object3D();
  head.position.set(0, 1.6, 0);
  const panel = new Object3D();
  placeBefore(panel, head, HEIGHT_M, 0.6);
  expect(panel.position.x).toBeLessThan(-0.4);
  expect(axis(panel, 0, 0, 1).angleTo(head.position.clone().sub(panel.position))).toBeLessThan(1e-6);
});

it("straight down and straight up still have a front", () => {
  const out = new Vector3();
  const down = new Quaternion().setFromEuler(new Euler(-Math.PI / 2, 0.5, 0, "YXZ"));
  const up = new Quaternion().setFromEuler(new Euler(Math.PI / 2, 0.5, 0, "YXZ"));
  const level = new Vector3(0, 0, -1).applyEuler(new Euler(0, 0.5, 0, "YXZ"));
  expect(horizontal(down, out).angleTo(level)).toBeLessThan(1e-6);
  expect(horizontal(up, out).angleTo(level)).toBeLessThan(1e-6);
});

it("a page that is higher than the one before does not sink either, and no panel is lowered", () => {
  const panel = new Object3D();
  panel.position.set(0, 0.4, -1);
  raise(panel, 1.2);
  expect(panel.position.y).toBeGreaterThan(0.6);
  panel.position.y = 2;
  raise(panel, 1.2);
  expect(panel.position.y).toBe(2);
});
