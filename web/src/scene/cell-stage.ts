/**
 * CellStage: the view of a cell. Holds what stays (floor, light, handle), follows the document, and turns clicks and
 * drags into selections and edits.
 */

import { Matrix4, type Object3D, Raycaster, Vector2, Vector3 } from "three";
import { frameOf, framesOf, poseInFrame, poseInWorld } from "../state/cell-geometry";
import type { Project } from "../state/project";
import { onChange } from "../state/store";
import { between, sampleAt, type Timeline } from "../state/timeline";
import type { StudioView } from "../state/studio-view";
import type { NamedView } from "../state/view";
import type { Pose, RobotInfo } from "../wire/generated";
import type { Cell, Recorded } from "../wire/studio";
import { CellCamera } from "./cell-camera";
import { CellMarks } from "./cell-marks";
import { CellObjects } from "./cell-objects";
import { CellRobots } from "./cell-robots";
import { Floor } from "./floor";
import { Outline } from "./outline";
import { PathLine } from "./path-line";
import { readPose, setPose } from "./place";
import { SeeThrough } from "./see-through";
import { ToolHandle } from "./tool-handle";
import { Viewport, type ViewportOptions } from "./viewport";

export interface CellStageParts {
  readonly project: Project;
  readonly timeline: Timeline;
  readonly view: StudioView;
  readonly fetchRobot: (name: string) => Promise<RobotInfo>;
  readonly options: ViewportOptions;
}

/** A press that moves less than this is a click. */
const CLICK_PX = 4;

export class CellStage {
  readonly viewport: Viewport;
  readonly robots: CellRobots;
  readonly objects: CellObjects;
  readonly #floor = new Floor();
  readonly #marks = new CellMarks();
  readonly #handle: ToolHandle;
  readonly #camera: CellCamera;
  readonly #walls: SeeThrough;
  readonly #outline = new Outline("#4d90fb");
  readonly #paths = new Map<string, PathLine>();
  readonly #leaving: (() => void)[];
  readonly #raycaster = new Raycaster();
  readonly #pressed = new Vector2();
  readonly #at = new Vector2();
  readonly #T = new Matrix4();
  readonly #point = new Vector3();
  #pressedOnHandle = false;
  #wish: Pose | null = null;
  #framed = false;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly parts: CellStageParts,
  ) {
    const { project, timeline, view } = parts;
    const viewport = new Viewport(canvas, parts.options);
    this.viewport = viewport;
    const changed = (): void => viewport.invalidateBodies();
    this.objects = new CellObjects(project.id, changed, (message) => project.complain(message));
    this.robots = new CellRobots(parts.fetchRobot, {
      changed: () => {
        this.#bodiesArrived();
        this.#showTime();
        this.#select();
        changed();
      },
      complain: (message) => project.complain(message),
    });
    this.#walls = new SeeThrough(viewport, this.objects);
    this.#camera = new CellCamera(viewport, {
      project,
      robots: this.robots,
      objects: this.objects,
      floor: this.#floor,
      walls: this.#walls,
    });
    this.#handle = new ToolHandle(viewport, {
      started: () => undefined,
      moved: (T) => this.#drag(T),
      ended: () => void this.#drop(),
    });
    this.#handle.setAllowed(parts.options.handle);
    viewport.world.add(this.#floor.node, this.objects.node, this.robots.node, this.#marks.node);
    canvas.addEventListener("pointerdown", this.#pressDown);
    canvas.addEventListener("pointerup", this.#pressUp);
    viewport.resized.add(this.#resized);
    this.#resized(canvas.clientHeight);
    this.#leaving = [
      project.cell.subscribe((cell) => this.#follow(cell)),
      project.selection.subscribe(() => this.#select()),
      onChange(project.mode, () => this.#select()),
      onChange(project.ready, () => this.#bodiesArrived()),
      timeline.recording.subscribe((recording) => this.#drawPaths(recording)),
      timeline.time.subscribe(() => this.#showTime()),
      view.mode.subscribe((mode) => this.#handle.setMode(mode)),
      view.axes.subscribe((axes) => this.#handle.setAxes(axes)),
      view.frames.subscribe((shown) => {
        this.#marks.showFrames(shown);
        viewport.invalidate();
      }),
    ];
  }

  setTheme(dark: boolean): void {
    this.#floor.setTheme(dark);
    this.objects.setTheme(dark);
    this.viewport.setTheme(dark);
    this.#outline.setColor(dark ? "#6ea8fe" : "#1d5fd6");
  }

  look(view: NamedView): void {
    this.#camera.look(view);
  }

  get dragging(): boolean {
    return this.#handle.dragging;
  }

  /** Let go of the handle; nothing has moved then. */
  cancelDrag(): void {
    this.#wish = null;
    this.#handle.cancel();
    this.#follow(this.parts.project.cell.value);
  }

  /** Where a thing of the cell is on the page, in CSS pixels. */
  onPage(name: string): { readonly x: number; readonly y: number } | null {
    const pose = poseInWorld(this.parts.project.cell.value, name);
    if (pose === undefined) return null;
    this.#point.set(...pose.xyz).applyMatrix4(this.viewport.world.matrixWorld);
    const { camera, canvas } = this.viewport;
    camera.updateMatrixWorld();
    this.#point.project(camera);
    const box = canvas.getBoundingClientRect();
    return {
      x: box.left + ((this.#point.x + 1) / 2) * box.width,
      y: box.top + ((1 - this.#point.y) / 2) * box.height,
    };
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    const { canvas } = this.viewport;
    canvas.removeEventListener("pointerdown", this.#pressDown);
    canvas.removeEventListener("pointerup", this.#pressUp);
    this.viewport.resized.delete(this.#resized);
    this.#camera.dispose();
    this.#walls.dispose();
    this.#outline.dispose();
    for (const path of this.#paths.values()) path.dispose();
    this.robots.dispose();
    this.objects.dispose();
    this.#marks.dispose();
    this.#handle.dispose();
    this.#floor.dispose();
    this.viewport.dispose();
  }

  #follow(cell: Cell): void {
    this.#outline.clear();
    const frames = framesOf(cell);
    this.objects.update(cell, frames);
    this.robots.update(cell);
    this.#marks.update(cell, frames);
    this.#showTime();
    this.#select();
    if (this.#framed || (cell.robots ?? []).length === 0) this.#bodiesArrived();
    this.viewport.invalidateBodies();
  }

  /** The camera looks at the cell when its robots have arrived. */
  #bodiesArrived(): void {
    if (!this.parts.project.ready.value || !this.robots.complete) return;
    this.viewport.world.updateMatrixWorld(true);
    this.#walls.update(this.robots.node.children);
    if (this.#framed) return;
    this.#framed = true;
    this.#camera.begin();
  }

  #select(): void {
    const { project } = this.parts;
    const names = project.selection.value;
    const nodes = names.map(
      (name) => this.robots.get(name) ?? this.objects.get(name) ?? this.#marks.get(name),
    );
    this.#outline.show(nodes.filter((node): node is Object3D => node !== undefined));
    this.#marks.select(names);
    this.#placeHandle();
    this.viewport.invalidate();
  }

  /** The one thing that the handle moves. */
  get #held(): string | null {
    const { project } = this.parts;
    const [only] = project.selection.value;
    if (project.mode.value !== "build" || project.selection.value.length !== 1 || only === undefined)
      return null;
    return frameOf(project.cell.value, only) === undefined ? null : only;
  }

  #placeHandle(): void {
    const name = this.#held;
    const pose = name === null ? undefined : poseInWorld(this.parts.project.cell.value, name);
    this.#handle.show(pose !== undefined);
    if (pose === undefined) return;
    const at = this.viewport.world.clone(false);
    setPose(at, pose);
    at.updateMatrix();
    this.#handle.place(at.matrix);
  }

  #drag(T_world_wish: Matrix4): void {
    const name = this.#held;
    if (name === null) return;
    this.#wish = readPose(this.#T.copy(T_world_wish));
    const node = this.robots.get(name) ?? this.#marks.get(name);
    if (node !== undefined) setPose(node, this.#wish);
    else this.objects.place(name, this.#wish);
    this.viewport.invalidateBodies();
  }

  async #drop(): Promise<void> {
    const { project } = this.parts;
    const name = this.#held;
    const wish = this.#wish;
    this.#wish = null;
    if (name === null || wish === null) return;
    const cell = project.cell.value;
    const frame = frameOf(cell, name);
    const pose = frame === undefined ? undefined : poseInFrame(cell, frame, wish);
    if (pose === undefined) return;
    const done = await project.edit({ edit: "cell", command: { do: "move", name, pose } });
    if (!done) this.#follow(project.cell.value);
  }

  #drawPaths(recording: Recorded | null): void {
    for (const path of this.#paths.values()) path.hide();
    for (const [arm, points] of Object.entries(recording?.tools ?? {})) {
      let path = this.#paths.get(arm);
      if (path === undefined) {
        path = new PathLine();
        this.#paths.set(arm, path);
        this.viewport.world.add(path.node);
      }
      path.draw(points, recording?.speeds[arm] ?? []);
    }
    this.#showTime();
    this.viewport.invalidate();
  }

  /** Put robots and parts where they are at the time that is looked at. */
  #showTime(): void {
    const { project, timeline } = this.parts;
    const recording = timeline.recording.value;
    const shows = project.mode.value === "program" && recording !== null;
    for (const item of project.cell.value.objects ?? []) {
      if (item.graspable === true) this.objects.place(item.name, null);
    }
    if (!shows) {
      this.robots.rest();
    } else {
      const [index, share] = sampleAt(recording.t, timeline.time.value);
      for (const [arm, rows] of Object.entries(recording.q))
        this.robots.setJoints(arm, between(rows, index, share));
      for (const [arm, values] of Object.entries(recording.openings)) {
        this.robots.setOpening(arm, values[share < 0.5 ? index : index + 1] ?? values[index] ?? 0);
      }
      for (const [name, rows] of Object.entries(recording.parts)) {
        const [x = 0, y = 0, z = 0, w = 1, i = 0, j = 0, k = 0] =
          rows[share < 0.5 ? index : index + 1] ?? rows[index] ?? [];
        this.objects.place(name, { xyz: [x, y, z], wxyz: [w, i, j, k] });
      }
    }
    this.viewport.invalidateBodies();
  }

  readonly #resized = (heightPx: number): void => {
    this.#outline.setPicture(this.viewport.canvas.clientWidth, heightPx);
  };

  readonly #pressDown = (event: PointerEvent): void => {
    this.#pressed.set(event.clientX, event.clientY);
    this.#pressedOnHandle = this.#handle.touched !== null;
  };

  readonly #pressUp = (event: PointerEvent): void => {
    this.#at.set(event.clientX, event.clientY);
    if (this.#pressedOnHandle || this.#at.distanceTo(this.#pressed) > CLICK_PX) return;
    const box = this.viewport.canvas.getBoundingClientRect();
    this.#at.set(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    const name = this.#pick(this.#at);
    const { selection } = this.parts.project;
    const more = event.shiftKey || event.ctrlKey || event.metaKey;
    if (name === null) {
      if (!more) selection.set([]);
    } else if (!more) {
      selection.set([name]);
    } else {
      const has = selection.value.includes(name);
      selection.set(has ? selection.value.filter((one) => one !== name) : [...selection.value, name]);
    }
  };

  /** What is under a place of the picture (−1 to 1), the nearest first; marks before bodies. */
  #pick(at: Vector2): string | null {
    this.#raycaster.setFromCamera(at, this.viewport.camera);
    const mark = this.#marks.pick(this.#raycaster);
    if (mark !== null) return mark;
    const hits = this.#raycaster.intersectObjects([this.robots.node, this.objects.node], true);
    for (const { object } of hits) {
      const name = this.robots.nameOf(object) ?? this.objects.nameOf(object);
      if (
        name !== undefined &&
        isShown(object) &&
        !this.objects.isGround(name) &&
        !this.objects.isFaded(name)
      )
        return name;
    }
    return null;
  }
}

function isShown(object: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null; node = node.parent) if (!node.visible) return false;
  return true;
}
