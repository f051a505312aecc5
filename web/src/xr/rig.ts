/**
 * Rig: where the person with the headset stands in the cell, which way they look, and how large they are. The headset's
 * own space hangs below its node, upright always; a person of scale 8 sees a model on a table. Three's axes, metres.
 */

import { Object3D, type Quaternion, Vector3 } from "three";
import { horizontal } from "./panel-place";

/** Slow, so that nobody gets sick: metres a second as the person feels them. */
export const WALK_M_S = 0.8;
export const SNAP_RAD = Math.PI / 6;
/** A person this much larger than the cell sees it as a model. */
export const TABLE_SCALE = 8;
export const LEAST_SCALE = 0.2;
export const MOST_SCALE = 25;
/** What a stick that is let go may still say. */
const DEAD = 0.15;
/** The floor of a model lies this high before the person, as they feel it. */
const TABLE_M = 0.8;
const BEFORE_TABLE_M = 0.7;

const UP = new Vector3(0, 1, 0);

/** What a stick says beyond its dead zone, −1 to 1. */
export function beyondDead(value: number): number {
  const size = Math.abs(value);
  return size < DEAD ? 0 : (Math.sign(value) * (Math.min(1, size) - DEAD)) / (1 - DEAD);
}

/** Both hands hold the world: where they are in the headset's space, and where what they hold is in the cell. */
interface Grab {
  readonly left: Vector3;
  readonly right: Vector3;
}

export class Rig {
  readonly node = new Object3D();
  readonly #start = new Object3D();
  readonly #forward = new Vector3();
  readonly #a = new Vector3();
  readonly #b = new Vector3();
  readonly #middle = new Vector3();
  #grab: Grab | null = null;

  constructor() {
    this.node.name = "person";
  }

  get scale(): number {
    return this.node.scale.x;
  }

  /** Stand here, looking along the rig's −z turned by `yaw` about the vertical; "return to start" leads here. */
  begin(position: Vector3, yaw: number): void {
    this.node.position.copy(position);
    this.node.rotation.set(0, yaw, 0);
    this.node.scale.setScalar(1);
    this.#start.copy(this.node, false);
    this.node.updateMatrixWorld(true);
  }

  /** Go back to where the person began, and to their own size. */
  goToStart(): void {
    this.#grab = null;
    this.node.position.copy(this.#start.position);
    this.node.quaternion.copy(this.#start.quaternion);
    this.node.scale.copy(this.#start.scale);
    this.node.updateMatrixWorld(true);
  }

  /** Go along the horizon of the gaze by the stick (x to the right, y back, −1 to 1); the height stays. */
  walk(gaze: Quaternion, x: number, y: number, seconds: number): boolean {
    const side = beyondDead(x);
    const back = beyondDead(y);
    if (side === 0 && back === 0) return false;
    horizontal(gaze, this.#forward).applyQuaternion(this.node.quaternion);
    const far = WALK_M_S * seconds * this.scale;
    this.node.position.addScaledVector(this.#forward, -back * far);
    this.#a.copy(this.#forward).cross(UP);
    this.node.position.addScaledVector(this.#a, side * far);
    this.node.updateMatrixWorld(true);
    return true;
  }

  /** Turn the person about where their head is (in the headset's space) by one step; `way`: 1 to the left. */
  snapTurn(head: Vector3, way: 1 | -1): void {
    this.#a.copy(head).applyMatrix4(this.node.matrixWorld);
    this.node.rotateY(way * SNAP_RAD);
    this.#keep(head, this.#a);
  }

  /** Bring the person's head above this place of the cell; the height stays. */
  teleport(head: Vector3, to: Vector3): void {
    this.#a.copy(head).applyMatrix4(this.node.matrixWorld);
    this.node.position.x += to.x - this.#a.x;
    this.node.position.z += to.z - this.#a.z;
    this.node.updateMatrixWorld(true);
  }

  /** See the cell round `centre` as a model on a table before the person. */
  showAsModel(head: Vector3, gaze: Quaternion, centre: Vector3, scale = TABLE_SCALE): void {
    this.node.scale.setScalar(scale);
    // Where the middle of the model's floor shall be, in the headset's space.
    horizontal(gaze, this.#forward);
    this.#b.copy(head).addScaledVector(this.#forward, BEFORE_TABLE_M);
    this.#b.y = TABLE_M;
    this.#keep(this.#b, this.#a.set(centre.x, 0, centre.z));
  }

  /** Both hands close on the world; `left` and `right` are in the headset's space. */
  grab(left: Vector3, right: Vector3): void {
    this.node.updateMatrixWorld(true);
    this.#grab = {
      left: left.clone().applyMatrix4(this.node.matrixWorld),
      right: right.clone().applyMatrix4(this.node.matrixWorld),
    };
  }

  /** The hands have moved: what they hold of the world stays in them; it turns about the vertical alone. */
  drag(left: Vector3, right: Vector3): void {
    if (this.#grab === null) return;
    const held = this.#a.copy(this.#grab.right).sub(this.#grab.left);
    const now = this.#b.copy(right).sub(left);
    const apart = now.length();
    if (apart < 0.02) return;
    const scale = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, held.length() / apart));
    this.node.scale.setScalar(scale);
    // Hands one above the other say nothing of a turn.
    if (Math.hypot(held.x, held.z) > 0.02 * this.scale && Math.hypot(now.x, now.z) > 0.02) {
      const turn = Math.atan2(-held.z, held.x) - Math.atan2(-now.z, now.x);
      this.node.rotation.set(0, turn, 0);
    }
    this.#middle.copy(left).add(right).multiplyScalar(0.5);
    this.#keep(this.#middle, this.#a.copy(this.#grab.left).add(this.#grab.right).multiplyScalar(0.5));
  }

  letGo(): void {
    this.#grab = null;
  }

  get grabbing(): boolean {
    return this.#grab !== null;
  }

  /** Move so that a place of the headset's space is at a place of the cell. */
  #keep(own: Vector3, world: Vector3): void {
    this.#middle.copy(own).multiplyScalar(this.scale).applyQuaternion(this.node.quaternion);
    this.node.position.copy(world).sub(this.#middle);
    this.node.updateMatrixWorld(true);
  }
}
