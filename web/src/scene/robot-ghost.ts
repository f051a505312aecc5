/** RobotGhost: a second, translucent picture of a robot of the cell, for what is being taught. */

import { type Matrix4, Mesh, MeshStandardMaterial, Object3D } from "three";
import type { URDFLink, URDFRobot } from "urdf-loader";
import { BODY_LAYER } from "./contact-shadow";
import type { CellRobotView } from "./cell-robot";

/** A link of the ghost, the same link of the robot, and the ghost's bodies that hang on it. */
interface Pair {
  readonly own: Object3D;
  readonly solid: Object3D;
  readonly bodies: readonly Object3D[];
}

/** Links that are nearer than this (metres, and parts of a turn) are in the same place. */
const SAME = 5e-4;

export class RobotGhost {
  readonly node = new Object3D();
  readonly #robot: URDFRobot;
  readonly #pairs: readonly Pair[];
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
    this.#pairs = Object.entries(this.#robot.links).flatMap(([name, own]): Pair[] => {
      const solid = view.model.link(name);
      const bodies = bodiesOf(own);
      return solid === undefined || bodies.length === 0 ? [] : [{ own, solid, bodies }];
    });
    this.node.position.copy(view.node.position);
    this.node.quaternion.copy(view.node.quaternion);
    this.node.add(this.#robot);
  }

  setTouching(touching: boolean): void {
    this.#material.color.set(touching ? "#ff4d45" : "#4d90fb");
  }

  /** Show only links that are elsewhere than the robot's: two pictures in one place only tint each other. */
  part(): void {
    for (const { own, solid, bodies } of this.#pairs) {
      const apart = !isSamePlace(own.matrixWorld, solid.matrixWorld);
      for (const body of bodies) body.visible = apart;
    }
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

/** The bodies that hang on a link itself, not on the links behind it. */
function bodiesOf(link: URDFLink): readonly Object3D[] {
  const found: Object3D[] = [];
  const waiting: Object3D[] = [...link.children];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === "URDFJoint" || node.type === "URDFLink") continue;
    if (node instanceof Mesh) found.push(node);
    waiting.push(...node.children);
  }
  return found;
}

function isSamePlace({ elements: a }: Matrix4, { elements: b }: Matrix4): boolean {
  return a.every((value, i) => Math.abs(value - (b[i] ?? 0)) < SAME);
}
