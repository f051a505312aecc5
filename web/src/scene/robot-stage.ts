/** RobotStage: one robot in the view. Follows its state, and turns drags of the handle into wishes. */

import { Box3, Matrix4, type Object3D, Quaternion, Raycaster, Vector2, Vector3 } from "three";
import type { ArmControl } from "../state/robot/arm-control";
import type { OpenRobot } from "../state/robot/open-robot";
import { onChange } from "../state/shared/store";
import type { NamedView, ViewState } from "../state/shared/view";
import type { Pose } from "../wire/generated";
import { fetchReach } from "../wire/rest";
import type { Floor } from "./floor";
import { FramesOverlay } from "./frames-overlay";
import { placeCamera } from "./named-views";
import { PlatformOverlay } from "./platform-overlay";
import { ReachOverlay } from "./reach-overlay";
import { RobotModel } from "./robot-model";
import type { ToolHandle } from "./tool-handle";
import type { Viewport } from "./viewport";
import type { WishLine } from "./wish-line";
import { problemOf } from "../state/shared/sentences";
import { t } from "../state/texts";

/** What of the view a robot uses, and gives back when it leaves. */
export interface Place {
  readonly viewport: Viewport;
  readonly floor: Floor;
  readonly handle: ToolHandle;
  readonly wishLine: WishLine;
  readonly view: ViewState;
  readonly complain: (message: string) => void;
}

export class RobotStage {
  #model: RobotModel | null = null;
  #frames: FramesOverlay | null = null;
  #reach: ReachOverlay | null = null;
  #platform: PlatformOverlay | null = null;
  readonly #leaving: (() => void)[] = [];
  readonly #loading = new AbortController();
  #reachLoading = new AbortController();
  readonly #T_world_three = new Matrix4();
  readonly #T_world_tool = new Matrix4();
  readonly #T = new Matrix4();
  readonly #position = new Vector3();
  readonly #turn = new Quaternion();
  readonly #scale = new Vector3();
  readonly #box = new Box3();
  readonly #raycaster = new Raycaster();

  constructor(
    private readonly robot: OpenRobot,
    private readonly place: Place,
  ) {
    this.#T_world_three.copy(place.viewport.world.matrixWorld).invert();
    void this.#load();
  }

  /** Where the tool is, in the robot's world. */
  get toolPosition(): Vector3 {
    return this.#position.setFromMatrixPosition(this.#T_world_tool);
  }

  look(view: NamedView, atOnce = false): void {
    const { viewport } = this.place;
    this.#model?.measure(this.#box);
    if (this.#box.isEmpty()) {
      // No body has arrived yet: room for what will come.
      const size = this.robot.info.reach_m ?? 0.8;
      this.#box.min.set(-0.3 * size, 0, -0.35 * size);
      this.#box.max.set(0.8 * size, 1.1 * size, 0.35 * size);
    }
    if (this.#reach !== null) this.#box.expandByObject(this.#reach.node);
    const { target, offset } = placeCamera(view, this.#box, viewport.camera, viewport.orbit.target);
    viewport.lookFrom(target, offset, atOnce);
  }

  /** A drag of the handle begins. */
  startDrag(): void {
    this.robot.history.record("");
    this.robot.active.value?.setDragging(true);
  }

  /** The person wants the tool here. */
  drag(T_world_wish: Matrix4): void {
    const arm = this.robot.active.value;
    if (arm !== null) {
      const base = this.#model?.link(arm.baseLink);
      if (base === undefined) return;
      this.#T
        .copy(base.matrixWorld)
        .invert()
        .multiply(this.place.viewport.world.matrixWorld)
        .multiply(T_world_wish);
      arm.follow(this.#readPose(), arm.info.base);
    } else {
      this.#push(T_world_wish);
    }
  }

  endDrag(): void {
    this.robot.active.value?.setDragging(false);
    this.#placeHandle();
  }

  /** A click at this place of the picture (−1 … 1): choose the arm that is there. */
  click(at: Vector2): void {
    if (this.#model === null || this.robot.arms.length < 2) return;
    this.#raycaster.setFromCamera(at, this.place.viewport.camera);
    const hit = this.#raycaster.intersectObject(this.#model.node, true)[0];
    const arm = hit && this.#model.armOf(hit.object, this.robot.info.arms);
    if (arm !== undefined) this.robot.activate(arm.name);
  }

  dispose(): void {
    this.#loading.abort();
    this.#reachLoading.abort();
    for (const leave of this.#leaving) leave();
    this.#frames?.dispose();
    this.#reach?.dispose();
    this.#platform?.dispose();
    this.#model?.dispose();
    this.place.handle.cancel();
    this.place.handle.show(false);
    this.place.wishLine.hide();
    this.place.view.reachBusy.set(false);
    this.place.viewport.invalidateBodies();
  }

  async #load(): Promise<void> {
    const { viewport, complain } = this.place;
    try {
      const model = await RobotModel.load(this.robot.info, this.#loading.signal, (progress) => {
        this.robot.bodies.set({ ...progress, failed: [...progress.failed] });
        viewport.invalidateBodies();
        if (progress.total > 0 && progress.loaded === progress.total) this.#bodiesArrived();
      });
      if (this.#loading.signal.aborted) {
        model.dispose();
        return;
      }
      this.#model = model;
      viewport.world.add(model.node);
      this.#enter(model);
    } catch (error) {
      if (this.#loading.signal.aborted) return;
      complain(problemOf(error, t("robot.notDrawn")));
    }
  }

  /** Connect state and picture. */
  #enter(model: RobotModel): void {
    const { view, handle } = this.place;
    const { platform } = this.robot;
    for (const arm of this.robot.arms) {
      this.#listen(arm.q.subscribe(() => this.#pose(arm)));
      this.#listen(arm.opening.subscribe(() => this.#pose(arm)));
      this.#listen(onChange(arm.frame, () => this.#placeHandle()));
      this.#listen(onChange(arm.unreached, () => this.#showUnreached(arm)));
    }
    if (platform !== null) {
      const body = this.#bodyOf(model);
      if (body !== undefined) {
        this.#platform = new PlatformOverlay(platform.info, body, model.link(platform.info.camera));
      }
      this.#listen(platform.values.subscribe((values) => this.#drive(values)));
    }
    const size = this.robot.info.reach_m ?? 1;
    this.place.floor.cover(Math.max(0.8, size));
    this.place.viewport.lights.cover(Math.max(0.8, size));
    this.place.viewport.contactShadow.cover(Math.max(0.8, size));
    this.place.viewport.contactShadow.follow(0, 0);
    handle.setFlat(platform !== null);
    this.#listen(this.robot.active.subscribe(() => this.#armChanged()));
    this.#listen(view.frames.subscribe((shown) => this.#showFrames(shown)));
    this.#listen(view.reach.subscribe(() => this.#showReach()));
    this.look("iso", true);
  }

  #bodiesArrived(): void {
    this.look("fit");
  }

  #listen(leave: () => void): void {
    this.#leaving.push(leave);
  }

  #pose(arm: ArmControl): void {
    this.#setJoints(arm, arm.q.value);
    (arm.info.tool?.fingers ?? []).forEach(({ name }, i) => this.#model?.setJoint(name, arm.fingerValue(i)));
    this.#moved();
  }

  #setJoints(arm: ArmControl, q: readonly number[]): void {
    arm.info.joints.forEach(({ name }, i) => this.#model?.setJoint(name, q[i] ?? 0));
    this.#model?.node.updateMatrixWorld(true);
  }

  #drive(values: readonly number[]): void {
    this.robot.platform?.joints.forEach(({ name }, i) => this.#model?.setJoint(name, values[i] ?? 0));
    this.#model?.node.updateMatrixWorld(true);
    const body = this.#model && this.#bodyOf(this.#model);
    if (body !== undefined && body !== null) this.place.viewport.lights.follow(body, 1);
    this.place.viewport.contactShadow.follow(values[0] ?? 0, values[1] ?? 0);
    this.#moved();
  }

  #moved(): void {
    this.#placeHandle();
    this.place.viewport.invalidateBodies();
  }

  #placeHandle(): void {
    const model = this.#model;
    const tool = model && this.#toolOf(model);
    if (!tool) return;
    this.#T_world_tool.multiplyMatrices(this.#T_world_three, tool.matrixWorld);
    this.place.handle.place(this.#T_world_tool);
    const arm = this.robot.active.value;
    if (this.place.wishLine.node.visible && arm !== null) this.#drawWish(arm);
  }

  /** What the handle sits on: the chosen frame of the active arm, or the body of a platform. */
  #toolOf(model: RobotModel): Object3D | undefined {
    const arm = this.robot.active.value;
    return arm === null ? this.#bodyOf(model) : model.link(arm.frameLink);
  }

  #armChanged(): void {
    const arm = this.robot.active.value;
    this.place.handle.cancel();
    this.place.handle.setUnreached(false);
    this.place.wishLine.hide();
    this.place.handle.show(arm !== null || this.robot.platform !== null);
    this.#placeHandle();
    if (this.place.view.reach.value) this.#showReach();
    if (this.place.view.frames.value) this.#showFrames(true);
  }

  #showUnreached(arm: ArmControl): void {
    const unreached = arm.unreached.value;
    this.place.handle.setUnreached(unreached !== null && unreached.pose !== null);
    if (unreached?.pose) this.#drawWish(arm);
    else this.place.wishLine.hide();
    this.place.viewport.invalidate();
  }

  #drawWish(arm: ArmControl): void {
    const pose = arm.unreached.value?.pose;
    const base = this.#model?.link(arm.baseLink);
    if (pose === undefined || pose === null || base === undefined) return;
    this.#scale
      .set(...pose.xyz)
      .applyMatrix4(base.matrixWorld)
      .applyMatrix4(this.#T_world_three);
    this.place.wishLine.draw(this.toolPosition, this.#scale);
  }

  #readPose(): Pose {
    this.#T.decompose(this.#position, this.#turn, this.#scale);
    const { x, y, z } = this.#position;
    const q = this.#turn;
    return { xyz: [x, y, z], wxyz: [q.w, q.x, q.y, q.z] };
  }

  /** Push the platform about the floor. */
  #push(T_world_wish: Matrix4): void {
    const { platform } = this.robot;
    if (platform === null) return;
    T_world_wish.decompose(this.#position, this.#turn, this.#scale);
    const { w, x, y, z } = this.#turn;
    const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
    const old = platform.values.value[2] ?? 0;
    const heading = yaw + 2 * Math.PI * Math.round((old - yaw) / (2 * Math.PI));
    platform.place([this.#position.x, this.#position.y, heading]);
  }

  /** The body of a platform: what its last joint carries. */
  #bodyOf(model: RobotModel): Object3D | undefined {
    const name = this.robot.platform?.joints.at(-1)?.name;
    return name === undefined ? undefined : model.joint(name);
  }

  #showFrames(shown: boolean): void {
    this.#frames?.dispose();
    this.#frames = shown && this.#model !== null ? new FramesOverlay(this.#namedFrames(this.#model)) : null;
    this.place.viewport.invalidate();
  }

  /** The frames a person can choose for the active arm, by the names they have there; of a platform all. */
  #namedFrames(model: RobotModel): Readonly<Record<string, Object3D>> {
    const arm = this.robot.active.value;
    if (arm === null) return model.links;
    const named: Record<string, Object3D> = {};
    for (const { name, link } of [...arm.info.bases, ...arm.info.frames]) {
      const node = model.link(link);
      if (node !== undefined) named[name] = node;
    }
    return named;
  }

  #showReach(): void {
    this.#reachLoading.abort();
    this.#reach?.dispose();
    this.#reach = null;
    this.place.view.reachBusy.set(false);
    this.place.viewport.invalidate();
    const arm = this.robot.active.value;
    if (!this.place.view.reach.value || arm === null) return;
    const loading = new AbortController();
    this.#reachLoading = loading;
    this.place.view.reachBusy.set(true);
    fetchReach(this.robot.info.name, arm.info.name, loading.signal).then(
      (reach) => {
        if (loading.signal.aborted) return;
        this.place.view.reachBusy.set(false);
        this.#reach = new ReachOverlay(reach);
        this.#model?.link(arm.baseLink)?.add(this.#reach.node);
        this.place.viewport.invalidate();
      },
      (error: unknown) => {
        if (loading.signal.aborted) return;
        this.place.view.reach.set(false);
        this.place.complain(problemOf(error, t("robot.reachFailed")));
      },
    );
  }
}
