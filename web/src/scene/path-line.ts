/** PathLine: the way of a tool as a line, coloured by its speed: blue is slow, green quick, amber near the fastest. */

import { BufferGeometry, Color, Float32BufferAttribute, Line, LineBasicMaterial } from "three";

const SLOW = new Color("#3b82f6");
const QUICK = new Color("#2f9e62");
const FAST = new Color("#e5a336");

export class PathLine {
  readonly node: Line<BufferGeometry, LineBasicMaterial>;

  constructor() {
    const material = new LineBasicMaterial({ vertexColors: true, toneMapped: false, depthTest: true });
    this.node = new Line(new BufferGeometry(), material);
    this.node.frustumCulled = false;
    this.node.visible = false;
  }

  /** Draw a way through these points of the world, with the speed at each. */
  draw(points: readonly (readonly number[])[], speeds: readonly number[]): void {
    const fastest = speeds.reduce((most, one) => Math.max(most, one), 1e-6);
    const colour = new Color();
    const colours = new Float32Array(3 * points.length);
    points.forEach((_, i) => speedColour((speeds[i] ?? 0) / fastest, colour).toArray(colours, 3 * i));
    this.node.geometry.dispose();
    this.node.geometry = new BufferGeometry();
    this.node.geometry.setAttribute("position", new Float32BufferAttribute(points.flat(), 3));
    this.node.geometry.setAttribute("color", new Float32BufferAttribute(colours, 3));
    this.node.visible = points.length > 1;
  }

  hide(): void {
    this.node.visible = false;
  }

  dispose(): void {
    this.node.removeFromParent();
    this.node.geometry.dispose();
    this.node.material.dispose();
  }
}

/** The colour of a speed, given as its share of the fastest. */
export function speedColour(share: number, out: Color): Color {
  return share < 0.5 ? out.lerpColors(SLOW, QUICK, 2 * share) : out.lerpColors(QUICK, FAST, 2 * share - 1);
}
