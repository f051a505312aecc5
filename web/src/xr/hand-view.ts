/** HandView: what the person sees of a hand: the controller or the joints, its ray, and a dot where the ray meets. */

import {
  BoxGeometry,
  BufferGeometry,
  Float32BufferAttribute,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Object3D,
  Ray,
  SphereGeometry,
  Vector3,
} from "three";
import { discard } from "../scene/discard";
import type { HandNow } from "./hands";

const JOINTS = 25;
const JOINT_M = 0.008;
const DOT_M = 0.006;
/** How long a ray is that meets nothing, metres in the headset's space. */
const FAR_M = 3;
const RAY = "#9fc3ff";

export class HandView {
  /** Hangs in the headset's space. */
  readonly node = new Object3D();
  /** In the cell's view, three's axes. */
  readonly ray = new Ray();
  readonly #body = new Mesh(
    new BoxGeometry(0.035, 0.03, 0.11),
    new MeshStandardMaterial({ color: "#39434f", roughness: 0.6, metalness: 0 }),
  );
  readonly #joints = new InstancedMesh(
    new SphereGeometry(JOINT_M, 10, 8),
    new MeshStandardMaterial({ color: "#d7b49a", roughness: 0.7, metalness: 0 }),
    JOINTS,
  );
  readonly #line: Line<BufferGeometry, LineBasicMaterial>;
  readonly #dot = new Mesh(
    new SphereGeometry(DOT_M, 16, 12),
    new MeshBasicMaterial({ color: "#ffffff", toneMapped: false, depthTest: false, transparent: true }),
  );
  readonly #place = new Matrix4();
  readonly #end = new Vector3();

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute([0, 0, 0, 0, 0, -1], 3));
    this.#line = new Line(
      geometry,
      new LineBasicMaterial({ color: RAY, transparent: true, opacity: 0.7, toneMapped: false }),
    );
    this.#line.frustumCulled = false;
    this.#joints.frustumCulled = false;
    this.#dot.renderOrder = 30;
    for (const one of [this.#body, this.#line]) one.matrixAutoUpdate = false;
    // Nothing of a hand is in the way of a ray.
    for (const one of [this.#body, this.#joints, this.#line, this.#dot]) one.raycast = () => undefined;
    this.node.add(this.#body, this.#joints, this.#line, this.#dot);
    this.hide();
  }

  hide(): void {
    this.node.visible = false;
  }

  /** Follow a hand. `space` turns the headset's space into three's world. */
  follow(hand: HandNow, space: Matrix4): void {
    this.node.visible = true;
    this.#place.multiplyMatrices(space, hand.ray);
    this.ray.origin.setFromMatrixPosition(this.#place);
    this.ray.direction.set(0, 0, -1).transformDirection(this.#place);
    this.#body.visible = hand.joints === null;
    this.#joints.visible = hand.joints !== null;
    if (hand.joints === null) {
      this.#body.matrix.copy(hand.grip ?? hand.ray);
      this.#body.matrixWorldNeedsUpdate = true;
    } else {
      this.#showJoints(hand.joints);
    }
    this.#line.matrix.copy(hand.ray);
  }

  /** Where the ray ends: at what it meets, so many metres of three's world away; null: it meets nothing. */
  reach(distance: number | null, scale: number): void {
    const far = distance === null ? FAR_M : distance / scale;
    this.#line.matrix.scale(this.#end.set(1, 1, far));
    this.#line.matrixWorldNeedsUpdate = true;
    this.#dot.visible = distance !== null;
    this.#dot.position.set(0, 0, -1).applyMatrix4(this.#line.matrix);
  }

  dispose(): void {
    this.#joints.dispose();
    discard(this.node);
  }

  #showJoints(joints: ReadonlyMap<string, Vector3>): void {
    let i = 0;
    for (const at of joints.values()) this.#joints.setMatrixAt(i++, this.#place.makeTranslation(at));
    this.#joints.count = i;
    this.#joints.instanceMatrix.needsUpdate = true;
  }
}
