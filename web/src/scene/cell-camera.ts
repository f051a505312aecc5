/** CellCamera: from where one looks at a cell. */

import { Box3, type Object3D, Vector3 } from "three";
import { poseInWorld } from "../state/shared/cell-geometry";
import type { Project } from "../state/shared/project";
import type { Vector } from "../state/shared/rotations";
import type { NamedView } from "../state/shared/view";
import type { CellObjects } from "./cell-objects";
import type { CellRobots } from "./cell-robots";
import type { Floor } from "./floor";
import { placeCamera } from "./named-views";
import type { SeeThrough } from "./see-through";
import { toRobotWorld, toThree } from "./up";
import type { Viewport } from "./viewport";

/** Of what is larger, only what is near counts: floors and walls are around, not what one looks at. */
const LARGE_M = 2.5;
const TURNS = [0, 1, 3, 2] as const;

export class CellCamera {
  readonly #box = new Box3();
  readonly #own = new Box3();
  readonly #point = new Vector3();
  readonly #UP = new Vector3(0, 1, 0);
  /** True once a person has looked from elsewhere: then nothing moves the camera by itself. */
  #taken = false;

  constructor(
    private readonly viewport: Viewport,
    private readonly parts: {
      readonly project: Project;
      readonly robots: CellRobots;
      readonly objects: CellObjects;
      readonly floor: Floor;
      readonly walls: SeeThrough;
    },
  ) {
    viewport.orbit.addEventListener("start", this.#take);
  }

  /** Look from a named side; "fit" keeps the side, and takes in what is selected, or else all. */
  look(view: NamedView, atOnce = false): void {
    const { project } = this.parts;
    this.#taken = true;
    if (view === "fit" && project.selection.value.length > 0) this.#measureNames(project.selection.value);
    else this.#measureAll();
    if (this.#box.isEmpty()) this.#emptyCell();
    this.#go(view, atOnce, 0);
  }

  /** Where one looks from now, in the cell's world. */
  get where(): { readonly target: Vector; readonly offset: Vector } {
    const { camera, orbit } = this.viewport;
    return {
      target: toRobotWorld(orbit.target.clone()).toArray(),
      offset: toRobotWorld(camera.position.clone().sub(orbit.target)).toArray(),
    };
  }

  /** Look from a place that was kept. */
  lookFrom(target: Vector, offset: Vector): void {
    this.#taken = true;
    this.viewport.lookFrom(toThree(new Vector3(...target)), toThree(new Vector3(...offset)), false);
  }

  /** Look at where the work is, from a side on which nothing stands in the way. */
  begin(atOnce: boolean): void {
    this.#measureAll();
    if (this.#box.isEmpty()) this.#emptyCell();
    const size = this.#box.getSize(this.#point).length();
    const centre = this.#box.getCenter(this.#point);
    this.viewport.lights.cover(Math.max(1, 0.62 * size));
    this.viewport.lights.aim(centre);
    this.viewport.contactShadow.cover(Math.max(1.2, size));
    this.viewport.contactShadow.follow(centre.x, -centre.z);
    this.parts.floor.cover(Math.max(1.2, size));
    this.parts.floor.centre(centre.x, -centre.z);
    if (this.#taken) return;
    this.#measureWork();
    const turn = TURNS.find((one) => !this.parts.walls.isHidden(this.#standing(one))) ?? 0;
    this.#go("iso", atOnce, turn);
  }

  dispose(): void {
    this.viewport.orbit.removeEventListener("start", this.#take);
  }

  readonly #take = (): void => {
    this.#taken = true;
  };

  #go(view: NamedView, atOnce: boolean, turns: number): void {
    const { camera, orbit } = this.viewport;
    const { target, offset } = placeCamera(view, this.#box, camera, orbit.target);
    offset.applyAxisAngle(this.#UP, (turns * Math.PI) / 2);
    this.viewport.lookFrom(target, offset, atOnce);
  }

  #standing(turns: number): Vector3 {
    const { camera, orbit } = this.viewport;
    const { target, offset } = placeCamera("iso", this.#box, camera, orbit.target);
    return offset.applyAxisAngle(this.#UP, (turns * Math.PI) / 2).add(target);
  }

  /** Robots, and everything of the cell that is no room. */
  #measureAll(): void {
    const { objects, robots } = this.parts;
    this.viewport.world.updateMatrixWorld(true);
    this.#box.makeEmpty();
    robots.measure(this.#box);
    for (const [, node] of objects.visible()) this.#union(node);
  }

  /** Robots, parts and points: where things happen. */
  #measureWork(): void {
    const { objects, project, robots } = this.parts;
    const cell = project.cell.value;
    this.#box.makeEmpty();
    robots.measure(this.#box);
    for (const [item, node] of objects.visible()) if (item.graspable === true) this.#union(node);
    for (const { name } of cell.points ?? []) {
      const pose = poseInWorld(cell, name);
      if (pose !== undefined) this.#box.expandByPoint(toThree(this.#point.set(...pose.xyz)));
    }
    if (this.#box.isEmpty()) this.#measureAll();
    if (this.#box.isEmpty()) this.#emptyCell();
    this.#box.expandByScalar(0.06 * this.#box.getSize(this.#point).length());
  }

  #measureNames(names: readonly string[]): void {
    const { objects, project, robots } = this.parts;
    this.viewport.world.updateMatrixWorld(true);
    this.#box.makeEmpty();
    for (const name of names) {
      const node = robots.get(name) ?? objects.get(name);
      const pose = poseInWorld(project.cell.value, name);
      if (node !== undefined) this.#box.union(this.#own.setFromObject(node));
      else if (pose !== undefined) this.#box.expandByPoint(toThree(this.#point.set(...pose.xyz)));
    }
    if (!this.#box.isEmpty()) this.#box.expandByScalar(0.05);
  }

  #union(node: Object3D): void {
    this.#own.setFromObject(node);
    const size = this.#own.getSize(this.#point);
    if (Math.max(size.x, size.y, size.z) < LARGE_M) this.#box.union(this.#own);
  }

  #emptyCell(): void {
    this.#box.min.set(-0.8, 0, -0.8);
    this.#box.max.set(0.8, 0.8, 0.8);
  }
}
