/**
 * Travel: the ways to move without walking: by the left stick along the gaze's horizon, in steps of turns and by a jump with
 * the right one, by both hands that hold the world, to a place on the floor that is pointed at, to a model and back.
 */

import { Box3, Mesh, MeshBasicMaterial, type Ray, RingGeometry, Vector3 } from "three";
import { discard } from "../scene/discard";
import type { CellStage } from "../scene/cell-stage";
import type { HandNow, Hands } from "./hands";
import type { Eye } from "./menus";
import type { Side } from "./presses";
import type { Rig } from "./rig";

/** The stick is pushed farther than this to turn or to aim, and must come back before the next time. */
const PUSHED = 0.7;
const BACK = 0.4;
/** Nobody jumps farther than this, metres as they feel them. */
const FARTHEST_M = 12;

export interface TravelMay {
  /** Sticks move the person, and nothing else. */
  readonly sticks: boolean;
  /** Both grips hold the world. */
  readonly grips: boolean;
  /** True where a hand points at no panel. */
  readonly free: (side: Side) => boolean;
}

/** Where a ray meets the floor (three's axes), not farther than `most`; null: it does not. */
export function meetFloor({ origin, direction }: Ray, most: number, out: Vector3): Vector3 | null {
  if (direction.y > -1e-3 || origin.y <= 0) return null;
  const far = -origin.y / direction.y;
  return far > most ? null : out.copy(origin).addScaledVector(direction, far);
}

export class Travel {
  readonly #mark: Mesh<RingGeometry, MeshBasicMaterial>;
  readonly #at = new Vector3();
  readonly #box = new Box3();
  readonly #left = new Vector3();
  readonly #right = new Vector3();
  /** The next press is a jump. */
  #aiming = false;
  /** The right stick is pushed: forward aims until it comes back, aside has turned. */
  #stick: "rest" | "turned" | "aims" = "rest";

  constructor(
    private readonly rig: Rig,
    private readonly stage: CellStage,
    private readonly rayOf: (side: Side) => Ray,
  ) {
    const material = new MeshBasicMaterial({
      color: "#4d90fb",
      transparent: true,
      toneMapped: false,
      depthTest: false,
    });
    this.#mark = new Mesh(new RingGeometry(0.16, 0.22, 40), material);
    this.#mark.rotation.x = -Math.PI / 2;
    this.#mark.renderOrder = 15;
    this.#mark.visible = false;
    this.#mark.raycast = () => undefined;
    stage.viewport.scene.add(this.#mark);
  }

  /** True while the next press on the floor brings the person there. */
  get aiming(): boolean {
    return this.#aiming;
  }

  /** From now on a press on the floor brings the person there. */
  aim(): void {
    this.#aiming = true;
  }

  /** The right hand presses while it aims. */
  jump(eye: Eye): void {
    const there = meetFloor(this.rayOf("right"), FARTHEST_M * this.rig.scale, this.#at);
    this.#aiming = false;
    if (there !== null) this.rig.teleport(eye.position, there);
  }

  showAsModel(eye: Eye): void {
    this.rig.showAsModel(eye.position, eye.quaternion, this.#centre());
  }

  /** Back to true size, at the start. */
  showTrue(): void {
    this.rig.goToStart();
  }

  /** A hand is gone: what both held is let go of. */
  forget(): void {
    this.rig.letGo();
    this.#stick = "rest";
  }

  /** Once a frame; return whether the person is moved smoothly. */
  update(seconds: number, hands: Hands, eye: Eye, may: TravelMay): boolean {
    const [left, right] = [hands.get("left"), hands.get("right")];
    this.#holdWorld(left, right, may);
    let walks = false;
    if (may.sticks && left !== null)
      walks = this.rig.walk(eye.quaternion, left.stick[0], left.stick[1], seconds);
    if (may.sticks && right !== null) this.#rightStick(right, eye);
    else if (this.#stick === "aims") this.#stick = "rest";
    this.#showMark(right !== null && (this.#aiming || this.#stick === "aims"));
    return walks;
  }

  dispose(): void {
    discard(this.#mark);
  }

  #rightStick({ stick: [x, y] }: HandNow, eye: Eye): void {
    if (this.#stick === "aims") {
      if (y > -BACK) {
        this.#stick = "rest";
        this.jump(eye);
      }
      return;
    }
    if (this.#stick === "turned") {
      if (Math.abs(x) < BACK) this.#stick = "rest";
      return;
    }
    if (y < -PUSHED) {
      this.#stick = "aims";
    } else if (Math.abs(x) > PUSHED) {
      this.#stick = "turned";
      this.rig.snapTurn(eye.position, x > 0 ? -1 : 1);
    }
  }

  /** Both grips, or both pinches in free space, hold the world. */
  #holdWorld(left: HandNow | null, right: HandNow | null, may: TravelMay): void {
    const holds = (hand: HandNow | null, side: Side): boolean =>
      hand !== null && (hand.squeeze || (hand.joints !== null && hand.select && may.free(side)));
    if (!may.grips || left === null || right === null || !holds(left, "left") || !holds(right, "right")) {
      this.rig.letGo();
      return;
    }
    this.#left.setFromMatrixPosition(left.grip ?? left.ray);
    this.#right.setFromMatrixPosition(right.grip ?? right.ray);
    if (this.rig.grabbing) this.rig.drag(this.#left, this.#right);
    else this.rig.grab(this.#left, this.#right);
  }

  #showMark(shown: boolean): void {
    const there = shown ? meetFloor(this.rayOf("right"), FARTHEST_M * this.rig.scale, this.#at) : null;
    this.#mark.visible = there !== null;
    if (there === null) return;
    this.#mark.position.copy(there);
    this.#mark.scale.setScalar(this.rig.scale);
  }

  /** The middle of the robots. */
  #centre(): Vector3 {
    const box = this.#box.makeEmpty();
    this.stage.robots.measure(box);
    return box.isEmpty() ? this.#at.set(0, 0, 0) : box.getCenter(this.#at);
  }
}
