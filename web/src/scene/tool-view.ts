/** ToolView: a second, close camera that looks along the tool, drawn into a corner of the picture. */

import {
  Matrix4,
  type Object3D,
  PerspectiveCamera,
  Quaternion,
  Vector3,
  Vector4,
  type WebGLRenderer,
} from "three";
import type { Viewport } from "./viewport";

/** Where in the picture it is drawn, CSS pixels from its top left. */
export interface Inset {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const FAR_M = 0.34;
/** Nearer to straight along or straight up than this, "up" has no meaning any more. */
const LEAST_TILT = -1.35;
const MOST_TILT = 1.35;

export class ToolView {
  readonly #camera = new PerspectiveCamera(48, 1.5, 0.01, 30);
  readonly #T_world_tcp = new Matrix4();
  readonly #target = new Vector3();
  readonly #along = new Vector3();
  readonly #up = new Vector3();
  readonly #spin = new Quaternion();
  readonly #old = new Vector4();
  readonly #shown = new Map<Object3D, boolean>();
  #inset: Inset | null = null;
  #tilt = 0.5;
  #turn = 0;

  constructor(
    private readonly viewport: Viewport,
    /** Write where the tool is in the cell's world; return false where there is none. */
    private readonly locate: (out: Matrix4) => boolean,
  ) {
    viewport.afterFrame.add(this.#draw);
  }

  /** Draw it here; null: not at all. */
  setInset(inset: Inset | null): void {
    this.#inset = inset;
    this.viewport.invalidate();
  }

  /** Tilt the camera away from the tool's axis, and round it; radians. */
  tiltBy(tilt: number, turn: number): void {
    this.#tilt = Math.min(MOST_TILT, Math.max(LEAST_TILT, this.#tilt + tilt));
    this.#turn += turn;
    this.viewport.invalidate();
  }

  /** How far it is tilted, and turned round the tool; radians. */
  get tilt(): readonly [number, number] {
    return [this.#tilt, this.#turn];
  }

  dispose(): void {
    this.viewport.afterFrame.delete(this.#draw);
  }

  readonly #draw = (renderer: WebGLRenderer): void => {
    const inset = this.#inset;
    if (inset === null || !this.locate(this.#T_world_tcp)) return;
    this.#aim();
    this.#camera.aspect = inset.width / inset.height;
    this.#camera.updateProjectionMatrix();
    const bottom = this.viewport.canvas.clientHeight - inset.top - inset.height;
    renderer.getViewport(this.#old);
    renderer.setViewport(inset.left, bottom, inset.width, inset.height);
    renderer.setScissor(inset.left, bottom, inset.width, inset.height);
    renderer.setScissorTest(true);
    renderer.clear();
    this.#showOutside(false);
    renderer.render(this.viewport.scene, this.#camera);
    this.#showOutside(true);
    renderer.setScissorTest(false);
    renderer.setViewport(this.#old);
  };

  #showOutside(shown: boolean): void {
    for (const node of this.viewport.onlyOutside) {
      // The handle sizes itself for whatever camera draws it; it stays as it is for the main one.
      if (!shown) this.#shown.set(node, node.visible);
      node.visible = shown ? (this.#shown.get(node) ?? true) : false;
    }
  }

  /** Behind the TCP, looking at it along the tool's z. */
  #aim(): void {
    this.#T_world_tcp.premultiply(this.viewport.world.matrixWorld);
    this.#target.setFromMatrixPosition(this.#T_world_tcp);
    this.#T_world_tcp.extractBasis(this.#up, this.#along, this.#camera.position);
    const z = this.#camera.position;
    // Tilted about the tool's y after a turn about its z.
    this.#spin.setFromAxisAngle(z, this.#turn);
    this.#along.applyQuaternion(this.#spin);
    this.#up.applyQuaternion(this.#spin);
    this.#spin.setFromAxisAngle(this.#along, this.#tilt);
    this.#along.copy(z).applyQuaternion(this.#spin);
    this.#camera.up.copy(this.#up).applyQuaternion(this.#spin);
    this.#camera.position.copy(this.#target).addScaledVector(this.#along, -FAR_M);
    this.#camera.lookAt(this.#target);
    this.#camera.updateMatrixWorld();
  }
}
