import { Object3D, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { makeZUpRoot, toRobotWorld, toThree } from "./up";

const points: readonly (readonly [number, number, number])[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [0.3, -1.2, 2.5],
];

describe("the turn from Z up to Y up", () => {
  it("puts the robot's z along three's y and keeps x", () => {
    expect(toThree(new Vector3(0, 0, 1)).toArray()).toEqual([0, 1, -0]);
    expect(toThree(new Vector3(1, 0, 0)).toArray()).toEqual([1, 0, -0]);
  });

  it("agrees with the node that the robot hangs below", () => {
    const root = makeZUpRoot();
    for (const point of points) {
      const child = new Object3D();
      child.position.set(...point);
      root.add(child);
      const world = child.getWorldPosition(new Vector3());
      expect(world.distanceTo(toThree(new Vector3(...point)))).toBeLessThan(1e-12);
    }
  });

  it("comes back and stays right-handed", () => {
    for (const point of points) {
      expect(toRobotWorld(toThree(new Vector3(...point))).distanceTo(new Vector3(...point))).toBeLessThan(
        1e-15,
      );
    }
    const x = toThree(new Vector3(1, 0, 0));
    const y = toThree(new Vector3(0, 1, 0));
    expect(x.cross(y).distanceTo(toThree(new Vector3(0, 0, 1)))).toBeLessThan(1e-15);
  });
});
