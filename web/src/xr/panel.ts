/** Panel: a board in the headset's space with words and buttons, which hands press along their rays. */

import {
  CanvasTexture,
  LinearMipmapLinearFilter,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  type Ray,
  SRGBColorSpace,
  type Vector3,
} from "three";
import { type Button, type Layout, layOut, type Row } from "./panel-content";
import { drawPanel, measureWords } from "./panel-drawing";
import { isInside, meetPanel, type PanelHit } from "./panel-ray";
import { Presses, type Side } from "./presses";

/** Pixels a metre: at arm's length about as many as headsets have. */
const PIXELS_PER_M = 1000;
/** How near a fingertip must be to a board to touch it, metres before it and behind. */
const TOUCH_M = 0.02;

export class Panel {
  readonly mesh: Mesh<PlaneGeometry, MeshBasicMaterial>;
  readonly presses = new Presses();
  readonly #canvas = document.createElement("canvas");
  readonly #context: CanvasRenderingContext2D;
  #texture: CanvasTexture | null = null;
  #layout: Layout = { width: 0, height: 0, placed: [] };
  #drawn = "";
  /** Hands that touch it, so that a touch counts once. */
  readonly #touching = new Set<Side>();

  /** `name`: for tests; `width` in pixels; `scale`: metres for what is usually a metre. */
  constructor(
    readonly name: string,
    private readonly width: number,
    private readonly scale = 1,
  ) {
    const context = this.#canvas.getContext("2d");
    if (context === null) throw new Error("no canvas to draw panels on");
    this.#context = context;
    const material = new MeshBasicMaterial({ transparent: true, toneMapped: false, depthWrite: false });
    this.mesh = new Mesh(new PlaneGeometry(1, 1), material);
    this.mesh.name = `panel-${name}`;
    this.mesh.renderOrder = 20;
    // Seen through robots and walls: what cannot be read cannot be pressed either.
    material.depthTest = false;
    this.mesh.visible = false;
  }

  get shown(): boolean {
    return this.mesh.visible;
  }

  /** Metres, in the space it hangs in. */
  get height(): number {
    return (this.scale * this.#layout.height) / PIXELS_PER_M;
  }

  /** What it shows now, in pixels. */
  get layout(): Layout {
    return this.#layout;
  }

  show(shown: boolean): void {
    if (shown === this.shown) return;
    this.mesh.visible = shown;
    if (!shown) this.letGo();
  }

  /** Show these rows from now on; it is drawn again only where something differs. */
  setRows(rows: readonly Row[]): void {
    this.#layout = layOut(rows, this.width, measureWords);
    // A button that is gone is not held any more.
    const there = new Set(
      this.#layout.placed.map(({ element }) => (element.kind === "button" ? element.id : "")),
    );
    for (const side of ["left", "right"] as const) {
      const held = this.presses.heldBy(side);
      if (held !== null && !there.has(held)) this.presses.leave(side);
    }
    this.#draw();
  }

  /** Where a ray of the world meets it. */
  meet(ray: Ray): PanelHit | null {
    if (!this.shown) return null;
    const { width, height } = this.#layout;
    // The mesh is a square that is stretched: what is met is measured in shares of it.
    const hit = meetPanel(ray, this.mesh.matrixWorld, { width: 1, height: 1, pixels: 1 });
    return hit === null ? null : { ...hit, x: hit.x * width, y: hit.y * height };
  }

  /** A hand's ray is here; null: elsewhere. */
  point(side: Side, hit: PanelHit | null): void {
    const button = hit === null ? null : this.#buttonAt(hit);
    if (this.presses.point(side, button === null || isBlocked(button) ? null : button.id)) this.#draw();
  }

  /** The hand closes. Return whether a button took it. */
  press(side: Side): boolean {
    const button = this.#button(this.presses.press(side));
    if (button === null) return false;
    this.#draw();
    if (button.when === "press" || button.when === "hold") button.act(true);
    return true;
  }

  /** The hand opens. */
  release(side: Side): void {
    const released = this.presses.release(side);
    if (released === null) return;
    const button = this.#button(released.id);
    this.#draw();
    if (button === null || isBlocked(button)) return;
    if (button.when === "hold") button.act(false);
    else if (button.when !== "press" && released.inside) button.act(true);
  }

  /** The hand is gone, or is busy elsewhere. */
  leave(side: Side): void {
    const button = this.#button(this.presses.leave(side));
    if (button?.when === "hold") button.act(false);
    this.#draw();
  }

  /** Nothing is pointed at or held any more. */
  letGo(): void {
    this.leave("left");
    this.leave("right");
  }

  /** A fingertip of the world is here: who touches a button that acts at once has pressed it. */
  touch(side: Side, tip: Vector3 | null): void {
    const at = tip === null || !this.shown ? null : this.mesh.worldToLocal(tip.clone());
    if (at === null || Math.abs(at.z) > TOUCH_M || Math.abs(at.x) > 0.5 || Math.abs(at.y) > 0.5) {
      this.#touching.delete(side);
      return;
    }
    if (this.#touching.has(side)) return;
    this.#touching.add(side);
    const { width, height } = this.#layout;
    const button = this.#buttonAt({ x: (at.x + 0.5) * width, y: (0.5 - at.y) * height });
    if (button?.when === "press" && !isBlocked(button)) button.act(true);
  }

  dispose(): void {
    this.letGo();
    this.#texture?.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.removeFromParent();
  }

  #buttonAt(at: { readonly x: number; readonly y: number }): Button | null {
    const found = this.#layout.placed.find((one) => one.element.kind === "button" && isInside(one, at));
    return found?.element.kind === "button" ? found.element : null;
  }

  #button(id: string | null): Button | null {
    const found = this.#layout.placed.find(({ element }) => element.kind === "button" && element.id === id);
    return found?.element.kind === "button" ? found.element : null;
  }

  #draw(): void {
    const { width, height, placed } = this.#layout;
    const looks = placed.map(({ element }) =>
      element.kind === "button" ? this.presses.look(element.id) : "",
    );
    const wanted = JSON.stringify([width, height, placed, looks]);
    if (wanted === this.#drawn || height === 0) return;
    this.#drawn = wanted;
    // A texture keeps its size: another size is another texture.
    if (this.#texture === null || this.#canvas.width !== width || this.#canvas.height !== Math.ceil(height)) {
      this.#canvas.width = width;
      this.#canvas.height = Math.ceil(height);
      this.#texture?.dispose();
      this.#texture = new CanvasTexture(this.#canvas);
      this.#texture.colorSpace = SRGBColorSpace;
      this.#texture.minFilter = LinearMipmapLinearFilter;
      this.#texture.anisotropy = 4;
      this.mesh.material.map = this.#texture;
      this.mesh.material.needsUpdate = true;
      this.mesh.scale.set((this.scale * width) / PIXELS_PER_M, this.height, 1);
    }
    drawPanel(this.#context, this.#layout, (id) => this.presses.look(id));
    this.#texture.needsUpdate = true;
  }
}

const isBlocked = ({ blocked = "" }: Button): boolean => blocked !== "";
