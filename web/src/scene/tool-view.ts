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
/** From beside the tool to beside it; straight along it in the middle. */
const LEAST_TILT = -Math.PI / 2;
const MOST_TILT = Math.PI / 2;
/** About the weld, which is the tool's x. */
const ABOUT_WELD = -Math.PI / 2;

export class ToolView {
  readonly #camera = new PerspectiveCamera(48, 1.5, 0.01, 30);
  readonly #T_world_tcp = new Matrix4();
  readonly #target = new Vector3();
  readonly #along = new Vector3();
  readonly #up = new Vector3();
  readonly #spin = new Quaternion();
  readonly #old = new Vector4();
  readonly #shown = new Map<Object3D, boolean>();
  readonly #whole = { left: 0, top: 0, width: 1, height: 1 };
  #inset: Inset | null = null;
  #large = false;
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

  /** Tilt the camera about the direction of the weld, 0 to 90°; radians. */
  tiltAboutWeld(tilt: number): void {
    this.#turn = ABOUT_WELD;
    this.#tilt = Math.min(MOST_TILT, Math.max(0, this.#tilt + tilt));
    this.viewport.invalidate();
  }

  /** Whether it is the large picture, and the overview in the corner. */
  get large(): boolean {
    return this.#large;
  }

  setLarge(large: boolean): void {
    this.#large = large;
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
    renderer.getViewport(this.#old);
    renderer.setScissorTest(true);
    if (this.#large) {
      const { clientWidth, clientHeight } = this.viewport.canvas;
      this.#whole.width = clientWidth;
      this.#whole.height = clientHeight;
      this.#showOutside(false);
      this.#render(renderer, this.#camera, this.#whole);
      this.#showOutside(true);
      this.#render(renderer, this.viewport.camera, inset);
      // What the person points at and drags is still seen by it.
      setAspect(this.viewport.camera, this.#whole);
    } else {
      this.#showOutside(false);
      this.#render(renderer, this.#camera, inset);
      this.#showOutside(true);
    }
    renderer.setScissorTest(false);
    renderer.setViewport(this.#old);
  };

  #render(renderer: WebGLRenderer, camera: PerspectiveCamera, { left, top, width, height }: Inset): void {
    setAspect(camera, { width, height });
    const bottom = this.viewport.canvas.clientHeight - top - height;
    renderer.setViewport(left, bottom, width, height);
    renderer.setScissor(left, bottom, width, height);
    renderer.clear();
    renderer.render(this.viewport.scene, camera);
  }

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

function setAspect(camera: PerspectiveCamera, { width, height }: Pick<Inset, "width" | "height">): void {
  camera.aspect = width / Math.max(1, height);
  camera.updateProjectionMatrix();
}
