/** HandsOn: the gamepad of a studio. In Teach it moves the ghost; in Operate, with a trigger held, the robot. */

import type { CellStage } from "../../../scene/cell-stage";
import { Attention, type PageParts } from "../../../input/attention";
import type { Sample } from "../../../input/device";
import type { GamepadDevice, PadSource } from "../../../input/gamepad-device";
import { Gamepads } from "../../../input/gamepads";
import { GhostTarget } from "../../../input/ghost-target";
import type { Press, Wish } from "../../../input/mapping";
import { PAD_DEFAULTS, type PadSettings, twistSettings } from "../../../input/pad-defaults";
import { isPadSettings, meant, type PadUse, withControl } from "../../../input/pad-settings";
import { Pilot, type Target } from "../../../input/pilot";
import { type DrivenArm, RobotTarget } from "../../../input/robot-target";
import { SwitchedTarget } from "../../../input/switched-target";
import { TwistMapping } from "../../../input/twist-mapping";
import type { Jog, Jogging } from "../../../state/operate/jog";
import { isUnderWay } from "../../../state/operate/operator";
import type { FrameClock } from "../../../state/shared/glide";
import { type Memory, remembered } from "../../../state/shared/preferences";
import type { Project } from "../../../state/shared/project";
import type { Words } from "../../../state/shared/said";
import { onChange, Store } from "../../../state/shared/store";
import type { StudioView } from "../../../state/shared/studio-view";
import { chosenBox, turnToSide } from "../../../state/teach/snap";
import type { Teaching } from "../../../state/teach/teacher";
import { t } from "../../../state/texts";
import { PathRecorder } from "./path-recorder";

type UnreachedStore = NonNullable<Teaching["taught"]["value"]>["control"]["unreached"];

export interface HandsOnParts {
  readonly project: Project;
  readonly teaching: Teaching;
  readonly view: StudioView;
  readonly stage: Store<CellStage | null>;
  readonly memory: Memory;
  readonly page: PageParts & { readonly window: Window };
  readonly pads: PadSource;
  readonly clock: FrameClock;
}

/** How fast the right stick tilts the tool view, radians a second. */
const TILT_RATE = Math.PI / 3;
/** Longer than this, what stores a point records the path. */
const HELD_MS = 400;
const GO_SHARE = 0.3;
const SIDES = 4;
const FRAMES = ["base", "tool", "world"] as const;

export class HandsOn {
  readonly pads: Gamepads;
  readonly settings: Store<PadSettings>;
  /** What the pad is seen to do; null: there is none. */
  readonly sample = new Store<Sample | null>(null);
  readonly title = new Store("");
  /** Why the arm does not do what is wanted; empty: it does. */
  readonly barred = new Store<Words>("");
  /** Which use waits for a control to be pressed; null: none. */
  readonly asking = new Store<PadUse | null>(null);
  /** How many points of a path are recorded; null: none is. */
  readonly recorded: Store<number | null>;
  readonly #recorder: PathRecorder;
  readonly #hand: Jogging;
  readonly #goHand: Jogging;
  readonly #robot: RobotTarget;
  readonly #target: SwitchedTarget;
  readonly #attention: Attention;
  readonly #mapping: TwistMapping;
  #pilot: Pilot | null = null;
  #side = -1;
  #go: Jog | null = null;
  #storeMs: number | null = null;
  #lastMs = 0;
  #nowMs = 0;
  readonly #leaving: (() => void)[];
  #pilotLeaving: (() => void)[] = [];
  #unwatch: () => void = () => undefined;

  constructor(private readonly parts: HandsOnParts) {
    const { project, teaching, memory, page, pads } = parts;
    const { operation } = project;
    this.settings = remembered(memory, "pad", PAD_DEFAULTS, isPadSettings);
    this.pads = new Gamepads(page.window, pads);
    this.#attention = new Attention(page);
    this.#hand = operation.newHand();
    this.#goHand = operation.newHand();
    this.#robot = new RobotTarget(this.#hand, "pad", () => this.#driven());
    const ghost = new GhostTarget(teaching);
    this.#target = new SwitchedTarget([this.#robot, ghost], () => {
      if (project.mode.value === "operate" && operation.now.value.state === "on") return this.#robot;
      return teaching.showing ? ghost : null;
    });
    this.#mapping = new TwistMapping(twistSettings(this.settings.value));
    this.#recorder = new PathRecorder(project, teaching);
    this.recorded = this.#recorder.count;
    this.#leaving = [
      onChange(this.settings, (settings) => {
        this.#mapping.release();
        this.#mapping.settings = twistSettings(settings);
      }),
      onChange(this.#hand.barred, (why) => {
        if (why !== "") this.#bar(why);
      }),
      onChange(project.mode, () => this.#letGo()),
      this.pads.all.subscribe((all) => this.#choose(all.at(-1) ?? null)),
    ];
  }

  dispose(): void {
    const { operation } = this.parts.project;
    this.#choose(null);
    this.pads.dispose();
    this.#target.dispose();
    this.#robot.dispose();
    this.#attention.dispose();
    this.#recorder.dispose();
    operation.dropHand(this.#hand);
    operation.dropHand(this.#goHand);
    for (const leave of this.#leaving) leave();
  }

  /** Give the next control that is pressed to a use; null: none any more. */
  ask(use: PadUse | null): void {
    this.#pilot?.release();
    this.asking.set(use);
  }

  reset(): void {
    this.settings.set(PAD_DEFAULTS);
  }

  /** It tells of the end of what the arm can do: shake the pad. What is heard and read is the page's. */
  shake(): void {
    this.#pilot?.device.pulse?.(0.6, 180);
  }

  #choose(pad: GamepadDevice | null): void {
    if (pad !== null && pad === this.#pilot?.device) return;
    for (const leave of this.#pilotLeaving) leave();
    this.#letGo();
    this.#pilot?.dispose();
    this.#pilot = null;
    this.#pilotLeaving = [];
    this.sample.set(null);
    this.title.set(pad?.title ?? "");
    if (pad === null) return;
    const pilot = new Pilot(pad, this.#mapping, this.#gated(), this.#attention, this.parts.clock);
    this.#pilot = pilot;
    const unreached = this.parts.teaching.taught.subscribe((taught) =>
      this.#watch(taught?.control.unreached ?? null),
    );
    this.#pilotLeaving = [
      onChange(pilot.sample, (sample) => this.#see(sample)),
      onChange(pilot.wish, (wish) => this.#act(wish)),
      unreached,
      () => this.#watch(null),
    ];
  }

  /** While a control is being chosen, the pad drives nothing. */
  #gated(): Target {
    return {
      follow: (wish) => {
        if (this.asking.value === null) this.#target.follow(wish);
        else this.#target.letGo();
      },
      letGo: () => this.#target.letGo(),
      ended: this.#target.ended,
    };
  }

  /** The ghost cannot be where it is wanted: shake the pad once, and say why until it can. */
  #watch(unreached: UnreachedStore | null): void {
    this.#unwatch();
    this.#unwatch =
      unreached === null
        ? () => undefined
        : unreached.subscribe((now) => {
            if (this.parts.project.mode.value !== "teach") return;
            if (now === null) this.barred.set("");
            else if (this.#pilot !== null && this.#pilot.wish.value.command !== null) this.#bar(now.reason);
          });
  }

  #bar(why: Words): void {
    if (this.barred.value === "") this.shake();
    this.barred.set(why);
  }

  #see(sample: Sample): void {
    this.#lastMs = this.#nowMs;
    this.#nowMs = sample.atMs;
    this.sample.set(sample);
    const asked = this.asking.value;
    if (asked === null) {
      this.#tilt(sample);
      return;
    }
    const control = meant(sample.values, this.#pilot?.device.controls);
    if (control === null) return;
    this.asking.set(null);
    this.settings.set(withControl(this.settings.value, asked, control));
  }

  #tilt({ values, present, atMs }: Sample): void {
    const stick = present ? (values[this.settings.value.tilt] ?? 0) : 0;
    if (Math.abs(stick) < 0.15 || !Number.isFinite(stick)) return;
    const seconds = Math.min(0.1, Math.max(0, (atMs - this.#lastMs) / 1000));
    this.parts.stage.value?.toolView.tiltAboutWeld(stick * TILT_RATE * seconds);
  }

  #act(wish: Wish): void {
    if (wish.held && this.parts.project.mode.value === "operate" && this.#hand.held.value !== null)
      this.barred.set("");
    if (this.#storeMs !== null && wish.atMs - this.#storeMs > HELD_MS) this.#recorder.begin();
    for (const press of wish.presses) this.#do(press, wish.atMs);
  }

  #do({ control, down }: Press, atMs: number): void {
    const deed = this.settings.value.deeds[control];
    switch (deed) {
      case "next side":
        if (down) this.#turn(1);
        return;
      case "previous side":
        if (down) this.#turn(-1);
        return;
      case "store":
        this.#store(down, atMs);
        return;
      case "change view": {
        const view = this.parts.stage.value?.toolView;
        if (down) view?.setLarge(!view.large);
        return;
      }
      case "change frame":
        if (down) this.#changeFrame();
        return;
      case "next arm":
        if (down) this.#nextArm();
        return;
      case "go there":
        if (down) this.#goThere();
        else this.#endGo();
        return;
      case undefined:
        return;
    }
  }

  /** Round the four sides of the chosen box; the tool turns and stays where it is. */
  #turn(by: 1 | -1): void {
    const { project, teaching, view } = this.parts;
    const { cell, selection, mode } = project;
    const at = teaching.goal.value;
    if (mode.value !== "teach" || at === null) return;
    this.#side = this.#side < 0 ? (by > 0 ? 0 : SIDES - 1) : (this.#side + by + SIDES) % SIDES;
    const box = chosenBox(cell.value, selection.value, view.box.value);
    const asked = turnToSide(cell.value, box, at, this.#side, view.weld.value);
    if (asked === null) project.complain(t("pad.noBox"));
    else void teaching.snap(asked);
  }

  #store(down: boolean, atMs: number): void {
    if (this.parts.project.mode.value !== "teach") return;
    if (down) {
      this.#storeMs = atMs;
      return;
    }
    if (this.#storeMs === null) return;
    this.#storeMs = null;
    if (this.#recorder.count.value === null) void this.#recorder.storePoint();
    else void this.#recorder.end();
  }

  #changeFrame(): void {
    const { value } = this.settings;
    const at = FRAMES.findIndex((frame) => frame === value.frame);
    this.settings.set({ ...value, frame: FRAMES[(at + 1) % FRAMES.length] ?? "base" });
  }

  #nextArm(): void {
    const { project, teaching } = this.parts;
    if (project.mode.value === "teach") {
      teaching.chooseNext();
      return;
    }
    const { now, chosen, chosenArm } = project.operation;
    const arms = now.value.layout.map(([name]) => name);
    const driven = this.#driven();
    const at = arms.indexOf(driven === null ? "" : `${driven.robot}/${driven.arm}`);
    const [robot, arm] = (arms[(at + 1) % arms.length] ?? "").split("/");
    if (robot === undefined || arm === undefined) return;
    this.#letGo();
    chosen.set(robot);
    chosenArm.set(arm);
  }

  /** The robot goes to where the ghost is, as long as the control is held. */
  #goThere(): void {
    const { project, teaching } = this.parts;
    const { operation } = project;
    const taught = teaching.taught.value;
    const status = taught === null ? undefined : operation.robot(taught.robot);
    if (project.mode.value !== "teach" || taught === null || status === undefined) return;
    if (status.capabilities?.servo === false) {
      this.#bar(t("operate.jog.noServo", { robot: status.name }));
      return;
    }
    if (!status.ready || isUnderWay(operation.run)) return;
    const { robot, arm, control } = taught;
    const command = () => ({ type: "joints", target: control.q.value, scale: GO_SHARE }) as const;
    this.#go = { key: "pad-go", robot, arm, command };
    void this.#goHand.begin(this.#go);
  }

  #endGo(): void {
    if (this.#go !== null) this.#goHand.end(this.#go);
    this.#go = null;
  }

  /** The arm that the trigger drives; null: none can be, and the line says why. */
  #driven(): DrivenArm | null {
    const { operation } = this.parts.project;
    const status = operation.shown;
    if (status === undefined || isUnderWay(operation.run)) return null;
    if (status.capabilities?.servo === false) {
      this.#bar(t("operate.jog.noServo", { robot: status.name }));
      return null;
    }
    if (!status.ready) {
      this.#bar(status.said ?? status.reason);
      return null;
    }
    const arms = operation.now.value.layout.flatMap(([name]) => {
      const [robot, arm = ""] = name.split("/");
      return robot === status.name ? [arm] : [];
    });
    const arm = arms.find((name) => name === operation.chosenArm.value) ?? arms[0];
    return arm === undefined ? null : { robot: status.name, arm };
  }

  #letGo(): void {
    this.#pilot?.release();
    this.#endGo();
    this.#storeMs = null;
    this.barred.set("");
  }
}
