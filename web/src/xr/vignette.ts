/** Vignette: while a person is moved without walking, they see less of what goes by; that keeps them from getting sick. */

import { type Camera, Mesh, PlaneGeometry, ShaderMaterial } from "three";

const FADE_MS = 150;

const VERTEX = /* glsl */ `
varying vec2 vPlace;
void main() {
  vPlace = uv * 2.0 - 1.0;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = /* glsl */ `
uniform float uStrength;
varying vec2 vPlace;
void main() {
  gl_FragColor = vec4(0.0, 0.0, 0.0, uStrength * smoothstep(0.3, 0.62, length(vPlace)));
}`;

export class Vignette {
  readonly #mesh: Mesh<PlaneGeometry, ShaderMaterial>;
  #strength = 0;
  #beforeMs = 0;

  constructor(camera: Camera) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { uStrength: { value: 0 } },
      transparent: true,
      depthTest: false,
      depthWrite: false,
    });
    // Wide enough for what an eye sees at the sides.
    this.#mesh = new Mesh(new PlaneGeometry(2.4, 2.4), material);
    this.#mesh.position.z = -0.4;
    this.#mesh.renderOrder = 40;
    this.#mesh.frustumCulled = false;
    this.#mesh.visible = false;
    this.#mesh.raycast = () => undefined;
    camera.add(this.#mesh);
  }

  /** How much of the view is covered, 0 to 1. */
  get strength(): number {
    return this.#strength;
  }

  update(nowMs: number, moving: boolean): void {
    const step = Math.min(1, Math.max(0, nowMs - this.#beforeMs) / FADE_MS);
    this.#beforeMs = nowMs;
    this.#strength = Math.min(1, Math.max(0, this.#strength + (moving ? step : -step)));
    this.#mesh.visible = this.#strength > 0;
    const { uStrength } = this.#mesh.material.uniforms;
    if (uStrength !== undefined) uStrength.value = this.#strength;
  }

  dispose(): void {
    this.#mesh.geometry.dispose();
    this.#mesh.material.dispose();
    this.#mesh.removeFromParent();
  }
}
