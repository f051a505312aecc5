/** RobotGhost: a second, translucent picture of a robot of the cell, for what is being taught. */

import { Mesh, MeshStandardMaterial, Object3D } from "three";
import type { URDFRobot } from "urdf-loader";
import { BODY_LAYER } from "./contact-shadow";
import type { CellRobotView } from "./cell-robot";

export class RobotGhost {
  readonly node = new Object3D();
  readonly #robot: URDFRobot;
  readonly #material = new MeshStandardMaterial({
    color: "#4d90fb",
    opacity: 0.45,
    transparent: true,
    roughness: 0.6,
    // Its own far sides do not shine through, and where it stands in the robot it does not flicker.
    depthWrite: true,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
  });

  constructor(view: CellRobotView) {
    this.#robot = view.model.twin();
    this.#robot.traverse((child) => {
      child.layers.disable(BODY_LAYER);
      child.raycast = () => undefined;
      if (!(child instanceof Mesh)) return;
      const mesh = child as Mesh;
      mesh.material = this.#material;
      mesh.castShadow = mesh.receiveShadow = false;
      mesh.renderOrder = 2;
    });
    for (const joint of Object.values(this.#robot.joints)) joint.ignoreLimits = true;
    this.node.position.copy(view.node.position);
    this.node.quaternion.copy(view.node.quaternion);
    this.node.add(this.#robot);
  }

  setTouching(touching: boolean): void {
    this.#material.color.set(touching ? "#ff4d45" : "#4d90fb");
  }

  setJoint(name: string, value: number): void {
    this.#robot.joints[name]?.setJointValue(value);
  }

  link(name: string): Object3D | undefined {
    return this.#robot.links[name];
  }

  dispose(): void {
    this.node.removeFromParent();
    this.#material.dispose();
  }
}
