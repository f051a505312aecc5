import { Euler, Quaternion, Vector3 } from "three";
import { expect, it } from "vitest";
import { beyondDead, MOST_SCALE, Rig, SNAP_RAD, WALK_M_S } from "./rig";

const HEAD = new Vector3(0.2, 1.6, -0.1);
const looking = (pitch: number, yaw: number, roll = 0): Quaternion =>
  new Quaternion().setFromEuler(new Euler(pitch, yaw, roll, "YXZ"));

function standing(): Rig {
  const rig = new Rig();
  rig.begin(new Vector3(1, 0, 2), 0.7);
  return rig;
}

const inWorld = (rig: Rig, own: Vector3): Vector3 => own.clone().applyMatrix4(rig.node.matrixWorld);

it("walks along the horizon of the gaze at full speed, however the head leans", () => {
  for (const pitch of [-1.2, -0.4, 0, 1.2])
    for (const roll of [0, 0.8]) {
      const rig = standing();
      const before = rig.node.position.clone();
      rig.walk(looking(pitch, 0.4, roll), 0, -1, 0.5);
      const way = rig.node.position.clone().sub(before);
      expect(way.y).toBe(0);
      expect(way.length()).toBeCloseTo(0.5 * WALK_M_S, 9);
      expect(way.angleTo(new Vector3(0, 0, -1).applyEuler(new Euler(0, 1.1, 0)))).toBeLessThan(1e-6);
    }
});

it("goes sideways to the right, and nowhere by a stick at rest", () => {
  const rig = new Rig();
  rig.begin(new Vector3(), 0);
  expect(rig.walk(looking(0, 0), 1, 0, 1)).toBe(true);
  expect(rig.node.position.x).toBeCloseTo(WALK_M_S, 9);
  expect(rig.walk(looking(0, 0), 0.1, -0.1, 1)).toBe(false);
  expect([beyondDead(0.14), beyondDead(1), beyondDead(-1)]).toEqual([0, 1, -1]);
});

it("turns in steps about the head, which stays where it is", () => {
  const rig = standing();
  const before = inWorld(rig, HEAD);
  rig.snapTurn(HEAD, 1);
  expect(inWorld(rig, HEAD).distanceTo(before)).toBeLessThan(1e-9);
  expect(rig.node.rotation.y).toBeCloseTo(0.7 + SNAP_RAD, 9);
});

it("teleports the head above a place, at the same height", () => {
  const rig = standing();
  rig.teleport(HEAD, new Vector3(-3, 0.4, 5));
  const head = inWorld(rig, HEAD);
  expect([head.x, head.z]).toEqual([expect.closeTo(-3, 9), expect.closeTo(5, 9)]);
  expect(head.y).toBeCloseTo(1.6, 9);
});

it("what both hands hold stays in them while they move, turn and part, and the person stays upright", () => {
  const rig = standing();
  const [left, right] = [new Vector3(-0.2, 1.2, -0.4), new Vector3(0.25, 1.3, -0.5)];
  const held = [inWorld(rig, left), inWorld(rig, right)];
  rig.grab(left, right);
  // Turned by a quarter, twice as far apart, and elsewhere; their difference in height has doubled, too.
  const about = new Vector3(0, 1, 0);
  const move = (v: Vector3): Vector3 =>
    v
      .clone()
      .multiplyScalar(2)
      .applyAxisAngle(about, Math.PI / 2)
      .add(new Vector3(0.3, -1, 0.2));
  rig.drag(move(left), move(right));
  expect(rig.scale).toBeCloseTo(0.5, 9);
  expect(inWorld(rig, move(left)).distanceTo(held[0] ?? left)).toBeLessThan(1e-9);
  expect(inWorld(rig, move(right)).distanceTo(held[1] ?? right)).toBeLessThan(1e-9);
  expect(new Vector3(0, 1, 0).applyQuaternion(rig.node.quaternion).y).toBeCloseTo(1, 9);
});

it("keeps the person within sizes in which they find back", () => {
  const rig = standing();
  rig.grab(new Vector3(-0.6, 1, 0), new Vector3(0.6, 1, 0));
  rig.drag(new Vector3(-0.015, 1, 0), new Vector3(0.015, 1, 0));
  expect(rig.scale).toBe(MOST_SCALE);
  rig.goToStart();
  expect([rig.scale, rig.node.position.toArray()]).toEqual([1, [1, 0, 2]]);
});

it("shows the cell as a model on a table before the person", () => {
  const rig = standing();
  const centre = new Vector3(0.5, 0.3, -0.2);
  rig.showAsModel(HEAD, looking(-0.3, 0.2), centre);
  const own = rig.node.worldToLocal(new Vector3(centre.x, 0, centre.z));
  expect(own.y).toBeCloseTo(0.8, 9);
  own.sub(HEAD).y = 0;
  expect(own.angleTo(new Vector3(0, 0, -1).applyEuler(new Euler(0, 0.2, 0)))).toBeLessThan(1e-6);
});
