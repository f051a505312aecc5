/** FramesOverlay: the axes and names of a robot's frames. Frames at one place share one name plate. */

import {
  BoxGeometry,
  BufferAttribute,
  type BufferGeometry,
  Color,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import { discard } from "./discard";
import { makeLabel } from "./labels";

const LENGTH_M = 0.07;
const THICKNESS_M = 0.0026;
const COLOURS = ["#e5484d", "#2f9e62", "#3b82f6"] as const;
const SAME_M = 1e-6;

export class FramesOverlay {
  readonly #hung: Object3D[] = [];
  readonly #geometry = makeAxes();
  readonly #material = new MeshBasicMaterial({ vertexColors: true, depthTest: false, toneMapped: false });

  /** Show the frames of these links (their matrices must be up to date). */
  constructor(links: Readonly<Record<string, Object3D>>) {
    const plates = new Map<Object3D, string[]>();
    for (const [name, link] of Object.entries(links)) {
      const axes = new Mesh(this.#geometry, this.#material);
      axes.renderOrder = 10;
      this.#hung.push(axes);
      link.add(axes);
      const plate = [...plates].find(([other]) => isAtSamePlace(other, link));
      if (plate === undefined) plates.set(link, [name]);
      else plate[1].push(name);
    }
    for (const [link, names] of plates) {
      const label = makeLabel(names.join(" · "));
      this.#hung.push(label);
      link.add(label);
    }
  }

  dispose(): void {
    for (const object of this.#hung) {
      if (object instanceof Mesh) object.removeFromParent();
      else discard(object);
    }
    this.#geometry.dispose();
    this.#material.dispose();
  }
}

const a = new Vector3();
const b = new Vector3();

function isAtSamePlace(one: Object3D, other: Object3D): boolean {
  a.setFromMatrixPosition(one.matrixWorld);
  return a.distanceTo(b.setFromMatrixPosition(other.matrixWorld)) < SAME_M;
}

/** Three thin bars along x, y and z in their colours. */
function makeAxes(): BufferGeometry {
  const bars = COLOURS.map((name, i) => {
    const size = [THICKNESS_M, THICKNESS_M, THICKNESS_M] as [number, number, number];
    size[i] = LENGTH_M;
    const bar = new BoxGeometry(...size);
    const shift: [number, number, number] = [0, 0, 0];
    shift[i] = LENGTH_M / 2;
    bar.translate(...shift);
    const colour = new Color(name);
    const count = bar.getAttribute("position").count;
    const colours = new Float32Array(3 * count);
    for (let vertex = 0; vertex < count; vertex++) colour.toArray(colours, 3 * vertex);
    bar.setAttribute("color", new BufferAttribute(colours, 3));
    return bar;
  });
  const merged = mergeGeometries(bars);
  for (const bar of bars) bar.dispose();
  return merged;
}
