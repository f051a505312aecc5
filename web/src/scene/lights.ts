/** Lights: a room's soft light from all sides, or a plain sky's, and one key light that throws the shadow. */

import {
  DirectionalLight,
  type Object3D,
  PMREMGenerator,
  type Scene,
  type Vector3,
  type WebGLRenderer,
  type WebGLRenderTarget,
  HemisphereLight,
} from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";

/** Of the finest shadow, along each side. */
const SHADOW_PIXELS = 2048;

export class Lights {
  readonly #key = new DirectionalLight(0xffffff, 2.1);
  readonly #fill = new DirectionalLight(0xdfeaff, 0.5);
  readonly #sky = new HemisphereLight(0xffffff, 0xb3b0ab, 2.4);
  #environment: WebGLRenderTarget | null = null;

  /** `share`: of the pixels of the finest shadow, along each side. */
  constructor(
    private readonly renderer: WebGLRenderer,
    private readonly scene: Scene,
    private readonly room: boolean,
    share: number,
  ) {
    this.refresh();
    if (!room) scene.add(this.#sky);
    scene.environmentIntensity = 0.55;
    this.#key.castShadow = true;
    this.#key.shadow.mapSize.setScalar(Math.ceil(share * SHADOW_PIXELS));
    this.#key.shadow.radius = 6;
    this.#key.shadow.bias = -0.0004;
    this.#key.shadow.normalBias = 0.01;
    this.#fill.position.set(-3, 1.5, -2);
    scene.add(this.#key, this.#key.target, this.#fill);
    this.cover(1);
  }

  /** Draw the picture of the room that lights the robot. */
  refresh(): void {
    if (!this.room) return;
    // Plastic and paint show no sharp reflections: a small picture of the room does, and starts the page sooner.
    const room = new RoomEnvironment();
    const generator = new PMREMGenerator(this.renderer);
    this.#environment?.dispose();
    this.#environment = generator.fromScene(room, 0.04, 0.1, 100, { size: 64 });
    this.scene.environment = this.#environment.texture;
    generator.dispose();
    room.dispose();
  }

  /** Fit the shadow to a robot of this size (metres, from the origin). */
  cover(size: number): void {
    this.#key.position.set(1.1, 2.4, 1.5).multiplyScalar(size).add(this.#key.target.position);
    const { camera } = this.#key.shadow;
    camera.left = camera.bottom = -1.4 * size;
    camera.right = camera.top = 1.4 * size;
    camera.near = 0.1;
    camera.far = 6 * size;
    camera.updateProjectionMatrix();
  }

  /** Centre the light and its shadow above a place (three's axes). */
  aim(centre: Vector3): void {
    this.#key.position.sub(this.#key.target.position);
    this.#key.target.position.set(centre.x, 0, centre.z);
    this.#key.position.add(this.#key.target.position);
    this.#key.target.updateMatrixWorld();
  }

  /** Move the shadow's centre along with a robot that drives. */
  follow(body: Object3D, size: number): void {
    body.getWorldPosition(this.#key.target.position);
    this.#key.target.position.y = 0;
    this.#key.position.set(1.1, 2.4, 1.5).multiplyScalar(size).add(this.#key.target.position);
  }

  setTheme(dark: boolean): void {
    this.scene.environmentIntensity = dark ? 0.45 : 0.5;
    this.#sky.intensity = dark ? 2.1 : 2.4;
    this.#key.intensity = dark ? 1.7 : 1.8;
  }

  dispose(): void {
    this.#environment?.dispose();
    this.#key.dispose();
    this.#fill.dispose();
    this.scene.environment = null;
  }
}
