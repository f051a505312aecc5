/** Floor: a grid that fades into the distance, and the plane that catches the shadow. */

import {
  Color,
  type IUniform,
  Mesh,
  Object3D,
  PlaneGeometry,
  ShaderMaterial,
  ShadowMaterial,
  Vector2,
} from "three";

const SIZE_M = 24;

const VERTEX = /* glsl */ `
varying vec2 vPoint;
void main() {
  vPoint = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

// Lines every 0.1 m and 1 m, one pixel wide at any distance; the fine ones vanish where they would crowd.
const FRAGMENT = /* glsl */ `
uniform vec3 uLine;
uniform vec3 uX;
uniform vec3 uY;
uniform float uStrength;
uniform vec2 uCentre;
uniform float uRadius;
varying vec2 vPoint;
float lines(float size, float width) {
  vec2 p = vPoint / size;
  vec2 w = fwidth(p);
  vec2 d = abs(fract(p - 0.5) - 0.5) / w;
  vec2 crowd = 1.0 - smoothstep(0.15, 0.45, w);
  vec2 line = (1.0 - smoothstep(width * 0.5, width * 0.5 + 0.75, d)) * crowd;
  return max(line.x, line.y);
}
float axis(float p, float width) {
  return 1.0 - smoothstep(width * 0.5, width * 0.5 + 0.9, abs(p) / fwidth(p));
}
void main() {
  float fade = 1.0 - smoothstep(0.25, 1.0, length(vPoint - uCentre) / uRadius);
  float fine = lines(0.1, 0.6) * 0.3;
  float coarse = lines(1.0, 0.9) * 0.75;
  float alpha = max(fine, coarse) * uStrength;
  vec3 colour = uLine;
  float onX = axis(vPoint.y, 1.0);
  float onY = axis(vPoint.x, 1.0);
  if (onX > 0.0) { colour = mix(colour, uX, onX); alpha = max(alpha, onX * 0.55); }
  if (onY > 0.0) { colour = mix(colour, uY, onY); alpha = max(alpha, onY * 0.55); }
  gl_FragColor = vec4(colour, alpha * fade * fade);
  #include <colorspace_fragment>
}`;

interface GridUniforms extends Record<string, IUniform> {
  readonly uLine: IUniform<Color>;
  readonly uX: IUniform<Color>;
  readonly uY: IUniform<Color>;
  readonly uStrength: IUniform<number>;
  readonly uCentre: IUniform<Vector2>;
  readonly uRadius: IUniform<number>;
}

export class Floor {
  /** Hangs in the robot's world: the plane z = 0. */
  readonly node = new Object3D();
  readonly #uniforms: GridUniforms = {
    uLine: { value: new Color() },
    uX: { value: new Color("#d8504d") },
    uY: { value: new Color("#3a9d6a") },
    uStrength: { value: 1 },
    uCentre: { value: new Vector2() },
    uRadius: { value: 3 },
  };
  readonly #geometry = new PlaneGeometry(SIZE_M, SIZE_M);
  readonly #grid = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: this.#uniforms,
    transparent: true,
    depthWrite: false,
  });
  readonly #shadow = new ShadowMaterial({ transparent: true, depthWrite: false });

  constructor() {
    const grid = new Mesh(this.#geometry, this.#grid);
    const shadow = new Mesh(this.#geometry, this.#shadow);
    shadow.receiveShadow = true;
    shadow.renderOrder = -2;
    grid.renderOrder = -1;
    this.node.add(shadow, grid);
    // Feet of robots stand exactly on z = 0.
    this.node.position.z = -0.0005;
    this.setTheme(true);
  }

  setTheme(dark: boolean): void {
    this.#uniforms.uLine.value.set(dark ? "#5d6b7c" : "#93a1b2");
    this.#uniforms.uStrength.value = dark ? 0.7 : 0.75;
    this.#shadow.opacity = dark ? 0.3 : 0.13;
  }

  /** Let the grid fade out around a robot of this size. */
  cover(size: number): void {
    this.#uniforms.uRadius.value = Math.min(SIZE_M / 2, 2.6 * size);
  }

  /** Let it fade out around this place of the floor. */
  centre(x: number, y: number): void {
    this.#uniforms.uCentre.value.set(x, y);
  }

  dispose(): void {
    this.#geometry.dispose();
    this.#grid.dispose();
    this.#shadow.dispose();
  }
}
