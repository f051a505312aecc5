/**
 * HeadsetRoom: the cell as the person with the headset has it: their hands with rays, menus, the ways to move, the point
 * that is made, and STOP. It lives as long as a session of WebXR; frame by frame it turns what hands do into that.
 */

import { Quaternion, type Ray, Vector3 } from "three";
import type { Hit } from "../scene/cell-picking";
import { onChange } from "../state/shared/store";
import { StepEditor } from "../state/program/steps-editor";
import { TeachDoing } from "../state/teach/taught-steps";
import { Clock } from "./clock";
import { HandView } from "./hand-view";
import { type HandEdges, type HandNow, Hands, SIDES } from "./hands";
import { type Eye, Menus } from "./menus";
import type { HeadsetParts } from "./headset";
import { homePage, type HomeParts } from "./pages/home-page";
import { StepsList } from "./pages/steps-list";
import { noticeRows, stopRows } from "./notices";
import { isPalmOpen } from "./palm";
import type { Panel } from "./panel";
import type { PanelHit } from "./panel-ray";
import { horizontal } from "./panel-place";
import { PointGrab } from "./point-grab";
import type { Side } from "./presses";
import { Rig } from "./rig";
import { StopGestures } from "./stop-gestures";
import { Travel } from "./travel";
import { Vignette } from "./vignette";
import { Wrists } from "./wrists";

const NO_EDGES: HandEdges = {
  selectBegan: false,
  selectEnded: false,
  squeezeBegan: false,
  squeezeEnded: false,
  lowerBegan: false,
  stickPressBegan: false,
};
/** A frame that takes longer is a pause: nothing leaps in it. */
const MOST_FRAME_S = 0.1;

/** Bodies under a ray are looked for at most so often. */
const BODIES_MS = 100;

/** What a hand's ray meets first. */
type Aim =
  | { readonly what: "panel"; readonly panel: Panel; readonly hit: PanelHit }
  | { readonly what: "handle" }
  | { readonly what: "body"; readonly hit: Hit }
  | { readonly what: "nothing" };

const NOTHING: Aim = { what: "nothing" };

export class HeadsetRoom {
  readonly rig = new Rig();
  readonly menus: Menus;
  readonly wrists: Wrists;
  readonly clock: Clock;
  readonly #hands: Hands;
  readonly #views: Readonly<Record<Side, HandView>> = { left: new HandView(), right: new HandView() };
  readonly #aims: Record<Side, Aim> = { left: NOTHING, right: NOTHING };
  readonly #gestures = new StopGestures();
  readonly #travel: Travel;
  readonly #vignette: Vignette;
  readonly #grab: PointGrab;
  readonly #steps: StepEditor;
  readonly #eye: Eye = { position: new Vector3(), quaternion: new Quaternion() };
  readonly #forward = new Vector3();
  readonly #tip = new Vector3();
  readonly #leaving: (() => void)[];
  #beforeMs = 0;
  /** What the right hand's ray met when bodies were looked through last, and when that was. */
  #body: Aim = NOTHING;
  #lookedMs = -Infinity;
  /** Which hand holds the handle. */
  #dragger: Side | null = null;

  constructor(
    private readonly parts: HeadsetParts,
    private readonly session: XRSession,
  ) {
    const { stage, project, teaching } = parts;
    const { viewport } = stage;
    this.#steps = new StepEditor(project);
    const pages: HomeParts = {
      project,
      teaching,
      stage,
      steps: this.#steps,
      doing: new TeachDoing(project, teaching),
      refusal: parts.refusal,
      writeLength: parts.writeLength,
      writeAngle: parts.writeAngle,
      open: (page) => this.menus.open(page),
      goBack: () => this.menus.goBack(),
      goHome: () => this.menus.goHome(),
      refresh: () => this.menus.refresh(),
      showAsModel: () => this.#travel.showAsModel(this.#eye),
      showTrue: () => this.#travel.showTrue(),
      goToStart: () => {
        this.rig.goToStart();
        this.menus.place(this.#eye);
      },
      aimTeleport: () => {
        this.#travel.aim();
        this.menus.show(false, this.#eye);
      },
      placeClock: () => {
        this.clock.placeAt(this.menus.menu.mesh);
        this.menus.show(false, this.#eye);
      },
      leave: () => void session.end().catch(() => undefined),
    };
    this.menus = new Menus(
      this.rig.node,
      new StepsList(pages),
      () => homePage(pages),
      () => noticeRows(project),
      () => this.#pageChanged(),
    );
    this.wrists = new Wrists(this.rig.node, {
      stop: () => this.#stop(),
      toggleMenus: () => this.menus.show(!this.menus.shown, this.#eye),
    });
    this.clock = new Clock(viewport.scene, 0);
    this.#travel = new Travel(this.rig, stage, (side) => this.#views[side].ray);
    this.#grab = new PointGrab(
      teaching,
      () => stage.hands.T_world_ghost,
      viewport.world.matrixWorld.clone().invert(),
    );
    this.#hands = new Hands(session, { gone: (side) => this.#gone(side) });
    for (const { node } of Object.values(this.#views)) this.rig.node.add(node);
    this.rig.node.add(viewport.camera);
    viewport.scene.add(this.rig.node);
    this.#vignette = new Vignette(viewport.camera);
    this.#begin();
    const { refresh } = this.menus;
    this.#leaving = [
      onChange(project.cell, refresh),
      onChange(project.programs, refresh),
      onChange(project.openProgram, refresh),
      onChange(project.openStep, refresh),
      onChange(project.checks, refresh),
      onChange(project.complaint, refresh),
      onChange(project.link, refresh),
      project.stops.lines.subscribe(() => this.wrists.update(stopRows(project))),
      onChange(project.operation.now, refresh),
      onChange(teaching.tcp, refresh),
      onChange(teaching.nearness, refresh),
      onChange(teaching.taught, refresh),
    ];
    session.addEventListener("visibilitychange", this.#look);
    stage.hands.allowHandle(false);
  }

  /** What a hand's ray meets, for tests. */
  aimOf(side: Side): string {
    const aim = this.#aims[side];
    if (aim.what === "panel") return aim.panel.name;
    return aim.what === "body" ? aim.hit.name : aim.what;
  }

  /** Every panel that there is. */
  get panels(): readonly Panel[] {
    return [
      this.menus.menu,
      this.menus.steps,
      this.wrists.panels.left,
      this.wrists.panels.right,
      this.clock.panel,
    ];
  }

  /** How much of the view is covered while the person is moved, 0 to 1. */
  get vignette(): number {
    return this.#vignette.strength;
  }

  /** Before each picture. `space`: the headset's own. */
  update(nowMs: number, frame: XRFrame, space: XRReferenceSpace): void {
    const seconds = Math.min(MOST_FRAME_S, Math.max(0, nowMs - this.#beforeMs) / 1000);
    this.#beforeMs = nowMs;
    const head = frame.getViewerPose(space);
    if (head !== undefined) {
      const { position, orientation } = head.transform;
      this.#eye.position.set(position.x, position.y, position.z);
      this.#eye.quaternion.set(orientation.x, orientation.y, orientation.z, orientation.w);
    }
    this.rig.node.updateMatrixWorld(true);
    this.#hands.update(frame, space);
    this.#gesture(nowMs);
    for (const side of SIDES) this.#followHand(side);
    for (const side of SIDES) this.#act(side);
    this.#grab.update(this.#hands.get("left"), this.rig.node.matrixWorld);
    const stick = this.#stick();
    this.menus.update(nowMs, { seconds, stick });
    const { presses } = this.menus.menu;
    const jogs = this.menus.page?.frame !== undefined && SIDES.some((side) => presses.heldBy(side) !== null);
    const moved = this.#travel.update(seconds, this.#hands, this.#eye, {
      sticks: !jogs,
      grips: this.menus.page?.placing !== true,
      free: (side) => this.#aims[side].what !== "panel",
    });
    this.#vignette.update(nowMs, moved);
    this.clock.update(nowMs);
  }

  dispose(): void {
    const { stage } = this.parts;
    for (const leave of this.#leaving) leave();
    this.session.removeEventListener("visibilitychange", this.#look);
    this.#hands.dispose();
    this.#grab.cancel();
    this.#travel.dispose();
    this.menus.dispose();
    this.wrists.dispose();
    this.clock.dispose();
    this.#vignette.dispose();
    for (const view of Object.values(this.#views)) view.dispose();
    this.#steps.dispose();
    this.rig.node.remove(stage.viewport.camera);
    this.rig.node.removeFromParent();
    stage.hands.light(null);
    stage.hands.allowHandle(true);
  }

  /** Stand where the page looks from, on the floor, looking the same way. */
  #begin(): void {
    const { camera, orbit } = this.parts.stage.viewport;
    const position = camera.position.clone();
    const yaw = Math.atan2(position.x - orbit.target.x, position.z - orbit.target.z);
    position.y = 0;
    this.rig.begin(position, yaw);
  }

  #stop(): void {
    this.parts.stop();
    for (const side of SIDES) this.#hands.pulse(side, 1, 120);
  }

  /** What needs no aiming: STOP and Back. */
  #gesture(nowMs: number): void {
    const [left, right] = [this.#hands.get("left"), this.#hands.get("right")];
    horizontal(this.#eye.quaternion, this.#forward);
    const { stop, back } = this.#gestures.update(nowMs, {
      back: { left: left?.upper === true, right: right?.upper === true },
      palm: { left: this.#isOpen(left, "left"), right: this.#isOpen(right, "right") },
    });
    if (stop) this.#stop();
    if (back) this.menus.back(this.#eye);
  }

  #isOpen(hand: HandNow | null, side: Side): boolean {
    const joints = hand?.joints ?? null;
    if (joints === null) return false;
    return isPalmOpen(
      (name, out) => {
        const at = joints.get(name);
        if (at !== undefined) out.copy(at);
        return at !== undefined;
      },
      side,
      this.#forward,
    );
  }

  /** See where a hand is and what its ray meets; only that is lit. */
  #followHand(side: Side): void {
    const hand = this.#hands.get(side);
    const view = this.#views[side];
    this.wrists.follow(side, hand, this.#eye.position);
    if (hand === null) return;
    view.follow(hand, this.rig.node.matrixWorld);
    const aim = this.#aim(side);
    this.#aims[side] = aim;
    for (const panel of this.#panels(side))
      panel.point(side, aim.what === "panel" && aim.panel === panel ? aim.hit : null);
    view.reach(this.#distanceOf(aim), this.rig.scale);
    const tip = this.#tipOf(hand);
    this.wrists.panels[side === "left" ? "right" : "left"].touch(side, tip);
    if (side === "right") this.parts.stage.hands.light(aim.what === "body" ? aim.hit.name : null);
  }

  #distanceOf(aim: Aim): number | null {
    return aim.what === "panel" || aim.what === "body" ? aim.hit.distance : null;
  }

  /** Where a hand touches things, in three's world. */
  #tipOf(hand: HandNow): Vector3 {
    const tip = hand.joints?.get("index-finger-tip");
    if (tip !== undefined) this.#tip.copy(tip);
    else this.#tip.setFromMatrixPosition(hand.grip ?? hand.ray);
    return this.#tip.applyMatrix4(this.rig.node.matrixWorld);
  }

  /** Panels that a hand can press: not the one on its own wrist. */
  #panels(side: Side): readonly Panel[] {
    const other = side === "left" ? "right" : "left";
    return [this.wrists.panels[other], this.menus.menu, this.menus.steps];
  }

  #aim(side: Side): Aim {
    const { ray } = this.#views[side];
    const { hands } = this.parts.stage;
    let found: Aim = NOTHING;
    let nearest = Infinity;
    for (const panel of this.#panels(side)) {
      const hit = panel.meet(ray);
      if (hit !== null && hit.distance < nearest) {
        nearest = hit.distance;
        found = { what: "panel", panel, hit };
      }
    }
    // Menus are drawn over everything, so what is behind them is not meant. The right hand alone holds the handle.
    const drags = this.#dragger === side;
    if (side === "right") hands.handle.aim(found === NOTHING || drags ? ray : null);
    if (drags || (side === "right" && hands.handle.touched !== null)) return { what: "handle" };
    if (found !== NOTHING || side === "left" || this.#travel.aiming) return found;
    return this.#bodyAlong(ray);
  }

  /** Which body the right hand's ray meets, which chooses it; to look through all of a cell takes long, so not always. */
  #bodyAlong(ray: Ray): Aim {
    if (this.#beforeMs - this.#lookedMs >= BODIES_MS) {
      this.#lookedMs = this.#beforeMs;
      const hit = this.parts.stage.hands.hitAlong(ray);
      this.#body = hit === null ? NOTHING : { what: "body", hit };
    }
    return this.#body;
  }

  #act(side: Side): void {
    const hand = this.#hands.get(side);
    const edges = this.#hands.edges(side) ?? NO_EDGES;
    if (hand === null) return;
    if (edges.lowerBegan) this.menus.show(!this.menus.shown, this.#eye);
    if (edges.selectBegan) this.#press(side);
    if (edges.selectEnded) this.#release(side);
  }

  #press(side: Side): void {
    const aim = this.#aims[side];
    const { hands } = this.parts.stage;
    if (aim.what === "panel") {
      if (aim.panel.press(side)) this.#hands.pulse(side);
    } else if (this.#travel.aiming) {
      if (side === "right") this.#travel.jump(this.#eye);
    } else if (aim.what === "handle" && hands.handle.press()) {
      this.#dragger = side;
    } else if (
      side === "left" &&
      this.menus.page?.placing === true &&
      this.#hands.get("left")?.joints != null
    ) {
      // Bare hands have no grip: the left one pinches in free space.
      this.#grab.pinch();
    } else if (aim.what === "body") {
      hands.choose(aim.hit);
    }
  }

  #release(side: Side): void {
    for (const panel of this.#panels(side)) panel.release(side);
    if (side === "left") this.#grab.release();
    if (this.#dragger !== side) return;
    this.#dragger = null;
    this.parts.stage.hands.handle.release();
  }

  /** The larger of both sticks, forward positive. */
  #stick(): number {
    const values = SIDES.map((side) => -(this.#hands.get(side)?.stick[1] ?? 0));
    return values.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
  }

  #pageChanged(): void {
    const placing = this.menus.page?.placing === true;
    if (!placing) {
      this.#grab.cancel();
      this.#dragger = null;
    }
    this.#grab.allow(placing);
    this.parts.stage.hands.allowHandle(placing);
  }

  /** A hand is not there any more: it holds nothing, and nothing that it pointed at stays lit. */
  #gone(side: Side): void {
    this.#views[side].hide();
    this.#aims[side] = NOTHING;
    for (const panel of this.#panels(side)) panel.leave(side);
    this.wrists.follow(side, null, this.#eye.position);
    this.#travel.forget();
    if (side === "left") this.#grab.cancel();
    if (side === "right") this.parts.stage.hands.light(null);
    if (this.#dragger === side) {
      this.#dragger = null;
      this.parts.stage.hands.handle.release();
    }
  }

  /** The headset shows something else, or was taken off: nobody holds anything. */
  readonly #look = (): void => {
    if (this.session.visibilityState === "visible") return;
    this.#hands.forget();
    this.#gestures.forget();
    this.parts.project.operation.jogging.end();
  };
}
