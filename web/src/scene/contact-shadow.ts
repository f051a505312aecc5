/**
 * ContactShadow: the soft darkness on the floor below a robot. The bodies are looked at from below,
 * the nearer to the floor the darker; the picture is blurred and laid on the floor.
 */

import {
  type Camera,
  Mesh,
  MeshDepthMaterial,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  MeshBasicMaterial,
  type WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import { HorizontalBlurShader } from "three/addons/shaders/HorizontalBlurShader.js";
import { VerticalBlurShader } from "three/addons/shaders/VerticalBlurShader.js";

/** What casts a contact shadow is on this layer, beside the usual one. */
export const BODY_LAYER = 1;

/** Of the finest picture, along each side. */
const PIXELS = 512;
/** Bodies higher than this throw none. */
const HEIGHT_M = 0.5;
const SOFTNESS = 2.6;

export class ContactShadow {
  /** Lies on the floor of the robot's world. */
  readonly node: Mesh<PlaneGeometry, MeshBasicMaterial>;
  readonly #camera = new OrthographicCamera(-1, 1, 1, -1, 0, HEIGHT_M);
  readonly #sharp: WebGLRenderTarget;
  readonly #blurred: WebGLRenderTarget;
  readonly #depth = new MeshDepthMaterial({ depthTest: false, depthWrite: false });
  readonly #across = new ShaderMaterial({ ...HorizontalBlurShader, depthTest: false });
  readonly #along = new ShaderMaterial({ ...VerticalBlurShader, depthTest: false });
  readonly #screen = new Scene();
  readonly #screenCamera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  readonly #quad: Mesh<PlaneGeometry, ShaderMaterial>;

  /** `share`: of the pixels of the finest picture, along each side. */
  constructor(share: number) {
    const pixels = Math.ceil(share * PIXELS);
    this.#sharp = new WebGLRenderTarget(pixels, pixels);
    this.#blurred = new WebGLRenderTarget(pixels, pixels);
    const material = new MeshBasicMaterial({
      map: this.#sharp.texture,
      color: 0x000000,
      transparent: true,
      depthWrite: false,
      toneMapped: false,
    });
    this.node = new Mesh(new PlaneGeometry(2, 2), material);
    this.node.renderOrder = -3;
    // Looks up from the floor; its picture's x and y are then those of the plane, y upside down.
    this.#camera.rotation.x = Math.PI;
    this.#camera.layers.set(BODY_LAYER);
    this.node.add(this.#camera);
    this.node.scale.set(1, 1, 1);
    const uv = this.node.geometry.getAttribute("uv");
    for (let i = 0; i < uv.count; i++) uv.setY(i, 1 - uv.getY(i));
    // Written as alpha: 1 on the floor, 0 at the height where it ends.
    this.#depth.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace(
        "gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );",
        "gl_FragColor = vec4( vec3( 0.0 ), ( 1.0 - fragCoordZ ) * ( 1.0 - fragCoordZ ) );",
      );
    };
    this.#quad = new Mesh(new PlaneGeometry(2, 2), this.#across);
    this.#quad.frustumCulled = false;
    this.#screen.add(this.#quad);
  }

  setOpacity(opacity: number): void {
    this.node.material.opacity = opacity;
  }

  /** Cover the floor this far from the robot's middle (metres). */
  cover(radius: number): void {
    this.node.scale.set(radius, radius, 1);
    this.#camera.updateMatrixWorld(true);
  }

  /** Lie below a robot that drives; floor coordinates of the robot's world. */
  follow(x: number, y: number): void {
    this.node.position.x = x;
    this.node.position.y = y;
  }

  /** Redraw the shadow; `scene` holds the bodies. */
  update(renderer: WebGLRenderer, scene: Scene): void {
    scene.updateMatrixWorld();
    const { overrideMaterial, environment } = scene;
    scene.overrideMaterial = this.#depth;
    scene.environment = null;
    this.#draw(renderer, scene, this.#camera, this.#sharp);
    scene.overrideMaterial = overrideMaterial;
    scene.environment = environment;
    for (const softness of [SOFTNESS, SOFTNESS * 0.4]) {
      this.#blur(renderer, this.#across, this.#sharp, this.#blurred, "h", softness);
      this.#blur(renderer, this.#along, this.#blurred, this.#sharp, "v", softness);
    }
    renderer.setRenderTarget(null);
  }

  dispose(): void {
    this.node.geometry.dispose();
    this.node.material.dispose();
    this.#quad.geometry.dispose();
    for (const one of [this.#depth, this.#across, this.#along, this.#sharp, this.#blurred]) one.dispose();
  }

  #blur(
    renderer: WebGLRenderer,
    material: ShaderMaterial,
    from: WebGLRenderTarget,
    to: WebGLRenderTarget,
    direction: "h" | "v",
    softness: number,
  ): void {
    const { tDiffuse, [direction]: width } = material.uniforms;
    if (tDiffuse !== undefined) tDiffuse.value = from.texture;
    if (width !== undefined) width.value = softness / PIXELS;
    this.#quad.material = material;
    this.#draw(renderer, this.#screen, this.#screenCamera, to);
  }

  #draw(renderer: WebGLRenderer, what: Object3D, camera: Camera, target: WebGLRenderTarget): void {
    renderer.setRenderTarget(target);
    renderer.clear();
    renderer.render(what, camera);
  }
}
