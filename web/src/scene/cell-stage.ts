/**
 * CellStage: the view of a cell. Holds its parts together: each follows the document or a store, and turns clicks and
 * drags into selections and edits.
 */

import { Matrix4, type Object3D, Vector3 } from "three";
import { framesOf, poseInWorld } from "../state/shared/cell-geometry";
import type { Measuring } from "../state/shared/measurement";
import type { Project } from "../state/shared/project";
import { onChange } from "../state/shared/store";
import type { StudioView } from "../state/shared/studio-view";
import { tcpOf } from "../state/teach/taught-arm";
import type { Teaching } from "../state/teach/teacher";
import type { Timeline } from "../state/program/timeline";
import { snapToTouch } from "../state/teach/snap";
import type { NamedView } from "../state/shared/view";
import type { RobotInfo } from "../wire/generated";
import type { Cell } from "../wire/studio";
import { CellCamera } from "./cell-camera";
import { CellGhost } from "./cell-ghost";
import { CellHands } from "./cell-hands";
import { CellMarks } from "./cell-marks";
import { CellMoving } from "./cell-moving";
import { CellObjects } from "./cell-objects";
import { CellPicking } from "./cell-picking";
import { CellReach } from "./cell-reach";
import { CellReplay } from "./cell-replay";
import { linkOf } from "./cell-robot";
import { CellRobots } from "./cell-robots";
import { CellSpaces } from "./cell-spaces";
import type { DrawingOptions } from "./drawing";
import { FaultMarks } from "./fault-marks";
import { Floor } from "./floor";
import { MarginShells } from "./margin-shells";
import { MeasureView } from "./measure-view";
import { Outline } from "./outline";
import { poseMatrix } from "./place";
import { PlatformOverlay } from "./platform-overlay";
import { SeeThrough } from "./see-through";
import { ToolHandle } from "./tool-handle";
import { ToolView } from "./tool-view";
import { toThree } from "./up";
import { Viewport } from "./viewport";
import { XRay } from "./x-ray";

/** In CSS pixels of the page. */
export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
}

export interface CellStageParts {
  readonly project: Project;
  readonly timeline: Timeline;
  readonly view: StudioView;
  readonly teaching: Teaching;
  readonly measuring: Measuring;
  readonly fetchRobot: (name: string) => Promise<RobotInfo>;
  /** Write a length in the person's unit. */
  readonly write: (metres: number) => string;
  readonly options: DrawingOptions;
}

export class CellStage {
  readonly viewport: Viewport;
  readonly robots: CellRobots;
  readonly objects: CellObjects;
  readonly moving: CellMoving;
  readonly toolView: ToolView;
  readonly hands: CellHands;
  readonly #floor = new Floor();
  readonly #marks = new CellMarks();
  readonly #spaces = new CellSpaces();
  readonly #outline = new Outline("#4d90fb");
  readonly #hover = new Outline("#8fb7f7", 1.5);
  readonly #shells = new MarginShells();
  readonly #xray = new XRay();
  readonly #handle: ToolHandle;
  readonly #camera: CellCamera;
  readonly #walls: SeeThrough;
  readonly #picking: CellPicking;
  readonly #replay: CellReplay;
  readonly #ghost: CellGhost;
  readonly #reach: CellReach;
  readonly #faults: FaultMarks;
  readonly #measure: MeasureView;
  readonly #leaving: (() => void)[];
  #platforms: readonly PlatformOverlay[] = [];
  readonly #point = new Vector3();
  readonly #T = new Matrix4();
  /** True once the camera looks at the cell, and once it looks at all its robots. */
  #begun = false;
  #framed = false;

  constructor(
    canvas: HTMLCanvasElement,
    private readonly parts: CellStageParts,
  ) {
    const { project, timeline, teaching, write } = parts;
    const viewport = new Viewport(canvas, parts.options);
    this.viewport = viewport;
    const complain = (message: string): void => project.complain(message);
    this.objects = new CellObjects(project.id, () => viewport.invalidateBodies(), complain);
    this.robots = new CellRobots(parts.fetchRobot, {
      project: project.id,
      changed: () => this.#robotsChanged(),
      complain,
    });
    viewport.world.add(this.#floor.node, this.objects.node, this.robots.node, this.#marks.node);
    viewport.world.add(this.#spaces.node);
    this.#walls = new SeeThrough(viewport, this.objects);
    this.#camera = new CellCamera(viewport, {
      project,
      robots: this.robots,
      objects: this.objects,
      floor: this.#floor,
      walls: this.#walls,
    });
    this.#handle = new ToolHandle(viewport, {
      started: () => this.#held?.start(),
      moved: (T) => this.#held?.drag(T),
      ended: () => this.#dragEnded(),
    });
    this.#handle.setAllowed(parts.options.handle);
    this.moving = new CellMoving(this.#handle, {
      project,
      view: parts.view,
      preview: (cell) => this.#show(cell ?? project.cell.value),
      nodeOf: (name) => this.robots.get(name) ?? this.objects.get(name) ?? this.#spaces.get(name),
      solids: () => this.#solids(),
      under: (dragged) => this.#picking.hit(dragged)?.at ?? this.#picking.floor(this.#point),
      pixel: () => this.#pixel(),
    });
    this.#picking = new CellPicking(viewport, this.robots, this.objects, this.#marks, {
      hovered: (name) => this.#hovered(name),
      clicked: (name, more) => this.#clicked(name, more),
      isTaken: () => this.#handle.touched !== null,
    });
    this.#replay = new CellReplay(viewport, project, timeline, this.robots, this.objects);
    this.#ghost = new CellGhost({
      viewport,
      handle: this.#handle,
      robots: this.robots,
      teaching,
      cell: () => project.cell.value,
      nodeOf: (name) => this.objects.get(name),
      frames: parts.view.armFrames,
      write,
    });
    this.hands = new CellHands({
      project,
      teaching,
      robots: this.robots,
      picking: this.#picking,
      handle: this.#handle,
      ghost: this.#ghost,
      light: (name) => this.#hovered(name),
      placeHandle: () => this.#placeHandle(),
    });
    const wanted = parts.view.reach;
    this.#reach = new CellReach({ viewport, robots: this.robots, teaching, wanted, complain });
    this.#faults = new FaultMarks(viewport, project, this.robots, this.objects, write);
    this.#measure = new MeasureView(viewport, this.objects, parts.measuring, write);
    this.toolView = new ToolView(viewport, (out) => this.#toolAt(out));
    viewport.resized.add(this.#resized);
    this.#resized(canvas.clientHeight);
    this.#leaving = this.#listen();
  }

  setTheme(dark: boolean): void {
    this.#floor.setTheme(dark);
    this.objects.setTheme(dark);
    this.viewport.setTheme(dark);
    this.#outline.setColor(dark ? "#6ea8fe" : "#1d5fd6");
  }

  /** Look from a side; "fit": at what is selected, or all. */
  look(view: NamedView): void {
    this.#camera.look(view);
  }

  /** From where one looks now, and a way back there. */
  whereLooking(): CellCamera["where"] {
    return this.#camera.where;
  }

  lookFrom({ target, offset }: CellCamera["where"]): void {
    this.#camera.lookFrom(target, offset);
  }

  /** The nearest thing under the pointer. */
  under(): string | null {
    return this.#picking.pick();
  }

  get dragging(): boolean {
    return this.#handle.dragging;
  }

  /** Let go of the handle; nothing has moved then. */
  cancelDrag(): void {
    // First what is dragged goes back: letting go of the handle is the end of a drag, too.
    this.#held?.cancel();
    this.#handle.cancel();
    this.#placeHandle();
  }

  /** True where all robots are there with all their bodies, the camera stands still, and all of it is drawn. */
  get settled(): boolean {
    return this.#framed && this.robots.complete && !this.viewport.turning && !this.viewport.pending;
  }

  /** Where a thing of the cell is on the page, in CSS pixels. */
  onPage(name: string): ScreenPoint | null {
    const pose = poseInWorld(this.parts.project.cell.value, name);
    return pose === undefined ? null : this.#toPage(toThree(this.#point.set(...pose.xyz)));
  }

  /** Where a place of the cell's world is on the page. */
  spotOnPage(x: number, y: number, z: number): ScreenPoint {
    return this.#toPage(toThree(this.#point.set(x, y, z)));
  }

  /** Where an arrow or ring of the handle can be grabbed, in CSS pixels of the page. */
  grabOnPage(axis: "X" | "Y" | "Z", far: number): ScreenPoint {
    return this.#toPage(this.#handle.grabPoint(axis, far, this.#point));
  }

  /** Which part of the handle the pointer is on. */
  get touched(): string | null {
    return this.#handle.touched;
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    for (const overlay of this.#platforms) overlay.dispose();
    this.viewport.resized.delete(this.#resized);
    const all = [this.toolView, this.#measure, this.#faults, this.#ghost, this.#replay, this.#picking];
    for (const part of all) part.dispose();
    for (const part of [this.#camera, this.#walls, this.#reach, this.#shells, this.#outline, this.#hover])
      part.dispose();
    for (const part of [this.robots, this.objects, this.#marks, this.#spaces, this.#handle, this.#floor])
      part.dispose();
    this.viewport.dispose();
  }

  #listen(): (() => void)[] {
    const { project, view, teaching } = this.parts;
    const snap = (): void => {
      const { move, turn } = view.grid.value;
      this.#handle.setSnap(view.snap.value ? move : null, view.snap.value ? turn : null);
    };
    return [
      project.cell.subscribe((cell) => this.#show(cell)),
      project.selection.subscribe(() => this.#select()),
      onChange(project.ready, () => this.#robotsChanged()),
      onChange(project.mode, () => {
        this.#ghost.update();
        this.#reach.update();
        this.#showPlatforms();
        this.#select();
      }),
      onChange(teaching.taught, () => this.#placeHandle()),
      view.mode.subscribe((mode) => this.#handle.setMode(mode)),
      onChange(view.locked, () => this.#select()),
      onChange(view.editable, () => this.#select()),
      view.axes.subscribe((axes) => this.#handle.setAxes(axes)),
      view.snap.subscribe(snap),
      view.grid.subscribe(snap),
      onChange(view.margins, () => this.#select()),
      onChange(project.mode, (mode) => {
        if (mode !== "teach" && view.tool.value === "touch") view.tool.set("handle");
      }),
      view.tool.subscribe((tool) => {
        if (tool !== "measure") this.#measure.end();
        this.#placeHandle();
      }),
      view.xray.subscribe((on) => {
        this.objects.setXray(on);
        if (!on) this.#xray.hide();
        this.#showXray();
      }),
      view.frames.subscribe((shown) => {
        this.#marks.showFrames(shown);
        this.viewport.invalidate();
      }),
    ];
  }

  /** What the handle drags: in Teach the ghost, or a platform, which has none; in Build what is selected. */
  get #held(): CellMoving | CellGhost | null {
    const { mode } = this.parts.project;
    if (mode.value === "teach") return this.#pushes ? this.moving : this.#ghost;
    return mode.value === "build" ? this.moving : null;
  }

  /** True where Teach has no arm, but a platform that can be pushed about the floor. */
  get #pushes(): boolean {
    const { project, teaching } = this.parts;
    const [name, ...more] = project.selection.value;
    if (project.mode.value !== "teach" || teaching.taught.value !== null) return false;
    const info = name === undefined || more.length > 0 ? null : this.robots.view(name)?.info;
    return info?.arms.length === 0 && info.platform !== null;
  }

  #dragEnded(): void {
    const held = this.#held;
    if (held === this.moving) void this.moving.drop();
    else if (held === this.#ghost) this.#ghost.end();
  }

  /** Show a cell: as it is, or as it would be while something is dragged. */
  #show(cell: Cell): void {
    this.#outline.clear();
    this.#hover.clear();
    this.#faults.clear();
    this.#ghost.clear();
    const frames = framesOf(cell);
    this.objects.update(cell, frames);
    this.robots.update(cell);
    this.#marks.update(cell, frames);
    this.#spaces.update(cell, frames);
    this.#replay.show();
    this.#select(cell);
    this.#faults.update();
    if (!this.#handle.dragging) {
      this.#ghost.update();
      this.#reach.update();
      this.#lookAtRobots();
    }
    this.viewport.invalidateBodies();
  }

  /** Bodies of robots come one by one. */
  #showXray(): void {
    if (this.parts.view.xray.value) this.#xray.show(this.robots.node);
    this.viewport.invalidateBodies();
  }

  #robotsChanged(): void {
    this.#showXray();
    this.#replay.show();
    this.#select();
    this.#ghost.update();
    this.#reach.update();
    this.#showPlatforms();
    this.#placeHandle();
    this.#lookAtRobots();
    this.viewport.invalidateBodies();
  }

  /** In Teach, round each platform the space that it keeps free. */
  #showPlatforms(): void {
    const { cell, mode } = this.parts.project;
    for (const overlay of this.#platforms) overlay.dispose();
    const names = mode.value === "teach" ? (cell.value.robots ?? []).map(({ name }) => name) : [];
    this.#platforms = names.flatMap((name) => {
      const view = this.robots.view(name);
      const platform = view?.info.platform ?? null;
      const body = view?.model.joint(platform?.joints.at(-1)?.name ?? "");
      if (view == null || platform === null || body === undefined) return [];
      return [new PlatformOverlay(platform, body, view.model.link(platform.camera))];
    });
  }

  /** The camera looks at the cell as soon as there is one, and once more when its robots have arrived. */
  #lookAtRobots(): void {
    if (!this.parts.project.ready.value || this.#framed) {
      if (this.#framed && this.robots.complete) this.#seeRobots();
      return;
    }
    this.#framed = this.robots.complete;
    if (this.#begun && !this.#framed) return;
    this.#seeRobots();
    this.#camera.begin(!this.#begun);
    this.#begun = true;
  }

  #seeRobots(): void {
    this.viewport.world.updateMatrixWorld(true);
    this.#walls.update(this.robots.boxes());
  }

  #select(cell = this.parts.project.cell.value): void {
    const { project, view } = this.parts;
    const names = project.selection.value;
    const nodes = names.map((name) => this.robots.get(name) ?? this.objects.get(name));
    this.#outline.show(nodes.filter((node): node is Object3D => node !== undefined));
    this.#marks.select(names);
    this.#spaces.select(names);
    const chosen = [...this.objects.visible()].filter(([{ name }]) => names.includes(name));
    this.#shells.show(view.margins.value ? chosen : []);
    this.#placeHandle(cell);
    this.viewport.invalidate();
  }

  #placeHandle(cell = this.parts.project.cell.value): void {
    const held = this.#held;
    const free = this.parts.view.tool.value === "handle";
    this.#handle.setFlat(this.#pushes);
    const there =
      held === this.moving
        ? this.parts.view.editable.value && this.moving.placeHandle(cell)
        : held === this.#ghost && this.#ghost.placeHandle();
    this.#handle.show(there && free);
  }

  *#solids(): Generator<readonly [string, Object3D]> {
    for (const [{ name }, node] of this.objects.visible())
      if (!this.objects.isGround(name)) yield [name, node];
    for (const { name } of this.parts.project.cell.value.robots ?? []) {
      const node = this.robots.get(name);
      if (node !== undefined) yield [name, node];
    }
  }

  /** Where the tool that is looked at is: of the ghost, or of the first robot. */
  #toolAt(out: Matrix4): boolean {
    const { project, teaching } = this.parts;
    if (teaching.showing) {
      out.copy(this.#ghost.T_world_tcp);
      return true;
    }
    const program = project.programs.value[project.openProgram.value ?? ""];
    const { robots = [] } = project.cell.value;
    const item = robots.find(({ name }) => name === program?.robot) ?? robots[0];
    const view = item === undefined ? null : this.robots.view(item.name);
    const arm = view?.info.arms.find(({ name }) => name === program?.arm) ?? view?.info.arms[0];
    if (item === undefined || view === null || arm === undefined) return false;
    const { frame, T_frame_tcp } = tcpOf(project.cell.value, item, arm);
    const link = view.model.link(linkOf(arm, frame));
    if (link === undefined) return false;
    out.copy(this.viewport.world.matrixWorld).invert().multiply(link.matrixWorld);
    out.multiply(poseMatrix(T_frame_tcp, this.#T));
    return true;
  }

  #hovered(name: string | null): void {
    const { view, measuring } = this.parts;
    const measures = view.tool.value === "measure";
    if (measures && name === null) measuring.here.set(null);
    if (measures) this.#measure.look(this.#picking);
    const shown = measures ? null : name;
    if (shown === view.hover.value) return;
    view.hover.set(shown);
    const node = shown === null ? undefined : (this.robots.get(shown) ?? this.objects.get(shown));
    const chosen = shown !== null && this.parts.project.selection.value.includes(shown);
    this.#hover.show(node === undefined || chosen ? [] : [node]);
    this.#marks.hover(shown);
    this.viewport.canvas.style.cursor = shown === null ? "" : "pointer";
    this.viewport.invalidate();
  }

  #clicked(name: string | null, more: boolean): void {
    const { project, view, measuring } = this.parts;
    if (view.tool.value === "measure") {
      this.#measure.look(this.#picking);
      measuring.press();
      return;
    }
    if (view.tool.value === "touch") {
      this.#touch();
      return;
    }
    const { selection } = project;
    if (name === null) {
      if (!more) selection.set([]);
    } else if (!more) {
      selection.set([name]);
      this.hands.chooseArm(name, this.#picking.hit());
    } else {
      const has = selection.value.includes(name);
      selection.set(has ? selection.value.filter((one) => one !== name) : [...selection.value, name]);
    }
    this.#hover.clear();
  }

  /** Bring the tool of the ghost to what is under the pointer. */
  #touch(): void {
    const { project, teaching, view } = this.parts;
    const tool = teaching.tcp.value;
    const hit = this.#picking.hit([teaching.taught.value?.robot ?? ""]);
    if (hit === null || tool === null) return;
    const { name, at, normal } = hit;
    const touched = { name, at: at.toArray(), normal: normal.toArray() };
    void teaching.snap(snapToTouch(project.cell.value, touched, tool, view.weld.value));
  }

  /** How long a pixel is at the handle, metres. */
  #pixel(): number {
    const { camera, canvas } = this.viewport;
    const far = this.#handle.getPosition(this.#point).distanceTo(camera.position);
    return (2 * far * Math.tan((camera.fov * Math.PI) / 360)) / Math.max(1, canvas.clientHeight);
  }

  #toPage(point: Vector3): ScreenPoint {
    const { camera, canvas } = this.viewport;
    camera.updateMatrixWorld();
    point.project(camera);
    const box = canvas.getBoundingClientRect();
    return { x: box.left + ((point.x + 1) / 2) * box.width, y: box.top + ((1 - point.y) / 2) * box.height };
  }

  readonly #resized = (heightPx: number): void => {
    const width = this.viewport.canvas.clientWidth;
    for (const outline of [this.#outline, this.#hover, this.#faults, this.#ghost])
      outline.setPicture(width, heightPx);
  };
}
