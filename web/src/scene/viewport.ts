/** Viewport: canvas, camera and light. Draws only when something has changed, so that a laptop stays cool. */

import {
  type Color,
  NeutralToneMapping,
  type Object3D,
  PCFShadowMap,
  PerspectiveCamera,
  type Quaternion,
  Scene,
  Spherical,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { pageFrames } from "../state/shared/frame-source";
import { browserClock, ease } from "../state/shared/glide";
import { ContactShadow } from "./contact-shadow";
import { type DrawingOptions, isSoftware, shadowShare } from "./drawing";
import { FramePace } from "./frame-pace";
import { Lights } from "./lights";
import { RIM_LAYER } from "./outline";
import { makeZUpRoot } from "./up";

const FIELD_OF_VIEW_DEG = 32;
const TURN_MS = 350;
/** Bodies that have not moved for so long rest. */
const REST_MS = 250;

export class Viewport {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW_DEG, 1, 0.02, 60);
  readonly orbit: OrbitControls;
  /** Everything of the robot's world hangs below this node: Z up, metres. */
  readonly world = makeZUpRoot();
  readonly lights: Lights;
  readonly contactShadow: ContactShadow;
  /** How many pictures have been drawn. */
  framesDrawn = 0;
  /** Called before each picture; return true to ask for another one after it. */
  readonly beforeFrame = new Set<(nowMs: number) => boolean>();
  /** Called after each picture, to draw into a part of it. */
  readonly afterFrame = new Set<(renderer: WebGLRenderer) => void>();
  /** What is seen in the picture itself only, not in its insets. */
  readonly onlyOutside = new Set<Object3D>();
  /** Called with the height of the picture when it has changed. */
  readonly resized = new Set<(heightPx: number) => void>();
  readonly #renderer: WebGLRenderer;
  readonly #resizing: ResizeObserver;
  #scheduled = 0;
  #bodiesMoved = true;
  #resting: ReturnType<typeof setTimeout> | undefined;
  readonly #pace: FramePace;
  readonly #from = new Spherical();
  readonly #to = new Spherical();
  readonly #fromTarget = new Vector3();
  readonly #toTarget = new Vector3();
  readonly #offset = new Vector3();
  readonly #now = new Spherical();
  #turnStart = -1;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly options: DrawingOptions,
  ) {
    this.#renderer = new WebGLRenderer({ canvas, antialias: options.antialias, alpha: true });
    // Keeps the robots' own colours, where film curves wash them out.
    this.#renderer.toneMapping = NeutralToneMapping;
    this.#renderer.toneMappingExposure = 0.95;
    this.#renderer.shadowMap.enabled = true;
    this.#renderer.shadowMap.type = PCFShadowMap;
    this.#renderer.shadowMap.autoUpdate = false;
    this.#renderer.setClearAlpha(0);
    const software = isSoftware(rendererName(this.#renderer.getContext()));
    this.#pace = new FramePace(software, options.rate);
    // Whatever moves for ever on the page would have all of it drawn again and again by the processor.
    canvas.ownerDocument.documentElement.classList.toggle("frugal", software);
    this.lights = new Lights(
      this.#renderer,
      this.scene,
      (options.light ?? (software ? "plain" : "room")) === "room",
      shadowShare(options),
    );
    this.contactShadow = new ContactShadow(shadowShare(options));
    this.scene.add(this.world);
    this.world.add(this.contactShadow.node);

    this.camera.position.set(1.6, 1.2, 1.8);
    this.camera.layers.enable(RIM_LAYER);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.dampingFactor = 0.12;
    this.orbit.zoomToCursor = true;
    this.orbit.minDistance = 0.15;
    this.orbit.maxDistance = 25;
    this.orbit.addEventListener("change", this.invalidate);
    this.orbit.addEventListener("start", this.#stopTurning);

    canvas.addEventListener("webglcontextrestored", this.#restore);
    this.#resizing = new ResizeObserver(() => this.#resize());
    this.#resizing.observe(canvas.parentElement ?? canvas);
    this.#resize();
  }

  /** Ask for a picture. A headset draws every frame without being asked. */
  readonly invalidate = (): void => {
    if (this.#scheduled === 0 && !this.presenting) this.#scheduled = requestAnimationFrame(this.#draw);
  };

  /** Ask for a picture in which bodies have moved, so that their shadows must be redrawn too. */
  invalidateBodies(): void {
    this.#bodiesMoved = true;
    clearTimeout(this.#resting);
    this.#resting = this.#pace.frugal ? setTimeout(this.#rest, REST_MS) : undefined;
    this.invalidate();
  }

  /** Turn the camera smoothly so that it looks at `target` from `offset` away (three's axes). */
  lookFrom(target: Vector3, offset: Vector3, atOnce = false): void {
    this.#fromTarget.copy(this.orbit.target);
    this.#toTarget.copy(target);
    this.#from.setFromVector3(this.#offset.copy(this.camera.position).sub(this.orbit.target));
    this.#to.setFromVector3(offset).makeSafe();
    // The short way round.
    const turn = this.#to.theta - this.#from.theta;
    this.#to.theta -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    if (atOnce || browserClock.calm) {
      this.#turnStart = -1;
      this.#turnTo(1);
    } else {
      this.#turnStart = performance.now();
    }
    this.invalidate();
  }

  /** The picture as it is now, made small: an address of image data; null: there is none yet. */
  takePicture(width: number, height: number): string | null {
    const small = this.canvas.ownerDocument.createElement("canvas");
    const context = small.getContext("2d");
    if (this.framesDrawn === 0 || context === null) return null;
    small.width = width;
    small.height = height;
    // What was drawn is kept no longer than the browser needs it.
    this.#renderer.render(this.scene, this.camera);
    const share = Math.max(width / this.canvas.width, height / this.canvas.height);
    const [wide, high] = [this.canvas.width * share, this.canvas.height * share];
    context.drawImage(this.canvas, (width - wide) / 2, (height - high) / 2, wide, high);
    return small.toDataURL("image/webp", 0.8);
  }

  /** How many geometries and textures the graphics card holds. */
  get held(): { readonly geometries: number; readonly textures: number } {
    return { ...this.#renderer.info.memory };
  }

  /** True while a headset shows the cell. */
  get presenting(): boolean {
    return this.#renderer.xr.isPresenting;
  }

  /** The space in which the headset says where things are; null: none shows the cell. */
  get headsetSpace(): XRReferenceSpace | null {
    return this.#renderer.xr.getReferenceSpace();
  }

  /**
   * Let a headset draw all frames, until its session ends; then the camera is where it was. `each` comes before each
   * picture, `ended` once. What the camera hangs on moves the person. `sky`: behind all; null: the room is seen there.
   */
  async present(
    session: XRSession,
    sky: Color | null,
    each: (nowMs: number, frame: XRFrame) => void,
    ended: () => void,
  ): Promise<void> {
    const { xr } = this.#renderer;
    const position = this.camera.position.clone();
    const quaternion = this.camera.quaternion.clone();
    cancelAnimationFrame(this.#scheduled);
    this.#scheduled = 0;
    this.#turnStart = -1;
    this.orbit.enabled = false;
    xr.enabled = true;
    xr.setReferenceSpaceType("local-floor");
    const goBack = (): void => {
      xr.removeEventListener("sessionend", goBack);
      this.#goBack(position, quaternion, ended);
    };
    xr.addEventListener("sessionend", goBack);
    this.#renderer.setClearColor(sky ?? 0x000000, sky === null ? 0 : 1);
    this.#renderer.setAnimationLoop((nowMs, frame: XRFrame | undefined) => {
      // Until the headset draws, the window does, which has no frames of it.
      if (frame !== undefined) this.#drawEyes(nowMs, frame, each);
    });
    pageFrames.drive(true);
    try {
      await xr.setSession(session);
    } catch (error) {
      goBack();
      throw error;
    }
  }

  /** True while the camera turns by itself or swings out. */
  get turning(): boolean {
    return this.#turnStart >= 0;
  }

  /** True while what is shown is older than what is known: a picture has been asked for. */
  get pending(): boolean {
    return this.#scheduled > 0;
  }

  setTheme(dark: boolean): void {
    this.lights.setTheme(dark);
    this.contactShadow.setOpacity(dark ? 0.75 : 0.42);
    this.invalidate();
  }

  dispose(): void {
    cancelAnimationFrame(this.#scheduled);
    clearTimeout(this.#resting);
    this.#scheduled = -1;
    this.#resizing.disconnect();
    this.canvas.removeEventListener("webglcontextrestored", this.#restore);
    this.orbit.dispose();
    this.lights.dispose();
    this.contactShadow.dispose();
    this.#renderer.dispose();
    // Browsers keep few contexts; this one need not wait until its canvas is collected.
    this.#renderer.forceContextLoss();
  }

  readonly #draw = (nowMs: number): void => {
    this.#scheduled = 0;
    if (!this.#pace.begins(nowMs)) {
      this.invalidate();
      return;
    }
    this.#turn(nowMs);
    let again = this.orbit.update() || this.#turnStart >= 0;
    for (const callback of this.beforeFrame) again = callback(nowMs) || again;
    if (this.#bodiesMoved && this.#resting === undefined) {
      this.#bodiesMoved = false;
      this.contactShadow.update(this.#renderer, this.scene);
      this.#renderer.shadowMap.needsUpdate = true;
    }
    this.#renderer.render(this.scene, this.camera);
    for (const callback of this.afterFrame) callback(this.#renderer);
    this.framesDrawn++;
    this.#pace.drawn(nowMs);
    requestAnimationFrame((nextMs) => this.#pace.begins(nextMs));
    if (again) this.invalidate();
  };

  /** A frame of the headset: nothing turns the camera but the head, and there is one picture for each eye. */
  #drawEyes(nowMs: number, frame: XRFrame, each: (nowMs: number, frame: XRFrame) => void): void {
    // First what the hands do, then what is made of it.
    each(nowMs, frame);
    pageFrames.run(nowMs);
    for (const callback of this.beforeFrame) callback(nowMs);
    if (this.#bodiesMoved && this.#resting === undefined) {
      this.#bodiesMoved = false;
      this.#drawContactShadow();
      this.#renderer.shadowMap.needsUpdate = true;
    }
    this.#renderer.render(this.scene, this.camera);
    this.framesDrawn++;
  }

  /** It is drawn by a camera of its own into a texture, which a headset must not take for a picture of its own. */
  #drawContactShadow(): void {
    const { xr } = this.#renderer;
    const target = this.#renderer.getRenderTarget();
    const alpha = this.#renderer.getClearAlpha();
    xr.enabled = false;
    this.#renderer.setClearAlpha(0);
    this.contactShadow.update(this.#renderer, this.scene);
    this.#renderer.setClearAlpha(alpha);
    xr.enabled = true;
    this.#renderer.setRenderTarget(target);
  }

  /** The page draws again, from where it looked before. */
  #goBack(position: Vector3, quaternion: Quaternion, ended: () => void): void {
    this.#renderer.setAnimationLoop(null);
    this.#renderer.xr.enabled = false;
    pageFrames.drive(false);
    this.#renderer.setClearColor(0x000000, 0);
    ended();
    this.camera.position.copy(position);
    this.camera.quaternion.copy(quaternion);
    this.camera.scale.setScalar(1);
    this.orbit.enabled = true;
    this.#resize();
    this.invalidateBodies();
  }

  /** Bodies rest: their shadows are drawn where moving ones are too slow. */
  readonly #rest = (): void => {
    this.#resting = undefined;
    this.invalidate();
  };

  #turn(nowMs: number): void {
    if (this.#turnStart === -1) return;
    const t = Math.min(1, Math.max(0, (nowMs - this.#turnStart) / TURN_MS));
    this.#turnTo(ease(t));
    if (t === 1) this.#turnStart = -1;
  }

  /** Put the camera at a share of its way. */
  #turnTo(s: number): void {
    this.#now.set(
      this.#from.radius + s * (this.#to.radius - this.#from.radius),
      this.#from.phi + s * (this.#to.phi - this.#from.phi),
      this.#from.theta + s * (this.#to.theta - this.#from.theta),
    );
    this.orbit.target.lerpVectors(this.#fromTarget, this.#toTarget, s);
    this.camera.position.setFromSpherical(this.#now).add(this.orbit.target);
    this.camera.lookAt(this.orbit.target);
  }

  /** The graphics card was lost (sleep, a new driver) and is back: what was drawn into textures is gone. */
  readonly #restore = (): void => {
    this.lights.refresh();
    this.invalidateBodies();
  };

  readonly #stopTurning = (): void => {
    this.#turnStart = -1;
  };

  #resize(): void {
    // The headset has a picture of its own; the page's gets its size when it is back.
    if (this.presenting) return;
    const box = (this.canvas.parentElement ?? this.canvas).getBoundingClientRect();
    const width = Math.max(1, Math.round(box.width));
    const height = Math.max(1, Math.round(box.height));
    this.#renderer.setPixelRatio(Math.min(this.options.sharpness, window.devicePixelRatio));
    this.#renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    // The narrower side keeps its angle, so that what was in view stays in view when a panel opens.
    const half = Math.tan((FIELD_OF_VIEW_DEG * Math.PI) / 360) / Math.min(1, this.camera.aspect);
    this.camera.fov = (360 / Math.PI) * Math.atan(half);
    this.camera.updateProjectionMatrix();
    for (const callback of this.resized) callback(height);
    this.invalidate();
  }
}

/** The name of what draws; some browsers keep it to themselves behind an extension. */
function rendererName(context: WebGL2RenderingContext | WebGLRenderingContext): string {
  const named = context.getExtension("WEBGL_debug_renderer_info");
  return String(context.getParameter(named?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER));
}
