/** CellToolView: a tool of a cell with parts of its own, as it hangs on a flange. Meshes arrive later. */

import { Object3D, Vector3 } from "three";
import { IDENTITY } from "../state/shared/cell-geometry";
import { t } from "../state/texts";
import type { CellTool } from "../wire/studio";
import { discard } from "./discard";
import { setPose } from "./place";
import { loadMesh, makeBody, makeGeometry, makeMaterial } from "./solid";

/** Where meshes come from, and who wants to know of them. */
export interface CellToolParts {
  /** The project whose files the meshes are. */
  readonly project: string;
  readonly changed: () => void;
  readonly complain: (message: string) => void;
}

export class CellToolView {
  readonly node = new Object3D();
  readonly #fingers: {
    readonly place: Object3D;
    readonly closed: Vector3;
    readonly way: Vector3;
    readonly travel: number;
  }[] = [];
  #waiting = 0;
  #disposed = false;

  constructor(
    tool: CellTool,
    private readonly parts: CellToolParts,
  ) {
    for (const { shape, pose, color, opens_m: opens = [0, 0, 0] } of tool.parts ?? []) {
      const place = new Object3D();
      setPose(place, pose ?? IDENTITY);
      const travel = Math.hypot(...opens);
      if (travel > 0) {
        const way = new Vector3(...opens).divideScalar(travel);
        this.#fingers.push({ place, closed: place.position.clone(), way, travel });
      }
      this.node.add(place);
      const material = makeMaterial(color ?? "#8a9099", 1);
      const geometry = makeGeometry(shape);
      if (geometry !== null) place.add(makeBody(geometry, material));
      else if (shape.type === "mesh") {
        this.#waiting++;
        void loadMesh(parts.project, shape, material).then(
          (mesh) => this.#arrived(place, mesh),
          () => this.#arrived(place, null, t("view.meshFailed", { file: shape.file, name: tool.name })),
        );
      }
    }
    this.setOpening();
  }

  /** How far each finger is open, metres; by default as far as they go. */
  setOpening(opening = Math.min(...this.#fingers.map(({ travel }) => travel))): void {
    for (const { place, closed, way } of this.#fingers)
      place.position.copy(closed).addScaledVector(way, opening);
  }

  /** True where every part is there, or will never be. */
  get complete(): boolean {
    return this.#waiting === 0;
  }

  dispose(): void {
    this.#disposed = true;
    discard(this.node);
  }

  #arrived(place: Object3D, mesh: Object3D | null, why = ""): void {
    if (this.#disposed) {
      if (mesh !== null) discard(mesh);
      return;
    }
    this.#waiting--;
    if (mesh !== null) place.add(mesh);
    else this.parts.complain(why);
    this.parts.changed();
  }
}
