/**
 * PointGrab: the left hand guides the ghost's tool, as long as its grip or pinch is closed and a point is being made. Near
 * the tool it takes hold of it where it is; from farther away the tool comes to the hand. It turns as the hand turns.
 */

import { Matrix4, Quaternion, Vector3 } from "three";
import type { Pose } from "../wire/generated";
import type { HandNow } from "./hands";

/** Nearer than this the hand takes hold of the tool where it is, metres as the person feels them. */
export const NEAR_M = 0.15;

/** What is guided. */
export interface Guided {
  setDragging(dragging: boolean): void;
  follow(world: Pose): void;
}

const size = new Vector3();

export class PointGrab {
  #allowed = false;
  #squeezed = false;
  #pinched = false;
  #held = false;
  readonly #hand = new Vector3();
  readonly #turn = new Quaternion();
  readonly #place = new Matrix4();
  /** Of the tool when it was taken: how far from the hand, and how it is turned against it. */
  readonly #away = new Vector3();
  readonly #against = new Quaternion();

  /** `T_world_tool`: where the ghost's tool is now; `T_world_three`: from three's axes to the cell's. */
  constructor(
    private readonly guided: Guided,
    private readonly T_world_tool: () => Matrix4,
    private readonly T_world_three: Matrix4,
  ) {}

  /** True while the hand guides the tool. */
  get held(): boolean {
    return this.#held;
  }

  /** A point is being made, or not any more. */
  allow(allowed: boolean): void {
    this.#allowed = allowed;
    if (!allowed) this.cancel();
  }

  /** The bare hand closes in free space. */
  pinch(): void {
    this.#pinched = true;
  }

  /** The bare hand opens. */
  release(): void {
    this.#pinched = false;
  }

  /** The hand is gone: the tool stays where it is. */
  cancel(): void {
    this.#pinched = false;
    this.#end();
  }

  /** Once a frame. `space`: from the headset's space to three's. */
  update(hand: HandNow | null, space: Matrix4): void {
    const grip = hand?.grip ?? null;
    const squeezed = hand?.squeeze === true;
    const began = squeezed && !this.#squeezed;
    this.#squeezed = squeezed;
    if (!this.#allowed || hand === null || grip === null) {
      this.#end();
      return;
    }
    this.#place
      .copy(this.T_world_three)
      .multiply(space)
      .multiply(grip)
      .decompose(this.#hand, this.#turn, size);
    if (!this.#held && (began || this.#pinched)) this.#begin(size.x);
    else if (this.#held && !squeezed && !this.#pinched) this.#end();
    if (!this.#held) return;
    const at = this.#away.clone().applyQuaternion(this.#turn).add(this.#hand);
    const turned = this.#turn.clone().multiply(this.#against);
    this.guided.follow({ xyz: [at.x, at.y, at.z], wxyz: [turned.w, turned.x, turned.y, turned.z] });
  }

  #begin(scale: number): void {
    const at = new Vector3();
    const turned = new Quaternion();
    this.T_world_tool().decompose(at, turned, new Vector3());
    const back = this.#turn.clone().invert();
    this.#against.copy(back).multiply(turned);
    at.sub(this.#hand);
    if (at.length() < NEAR_M * scale) this.#away.copy(at).applyQuaternion(back);
    else this.#away.set(0, 0, 0);
    this.#held = true;
    this.guided.setDragging(true);
  }

  #end(): void {
    if (!this.#held) return;
    this.#held = false;
    this.guided.setDragging(false);
  }
}
