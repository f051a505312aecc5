/**
 * Hands: what each hand of the person does, frame by frame, whatever holds it: a controller, nothing, or a pinch that a
 * headset sees by itself. They may come late, go, and change sides: a hand is what the newest frame says of its side.
 */

import { Matrix4, Vector3 } from "three";
import type { Side } from "./presses";

export const SIDES: readonly Side[] = ["left", "right"];

/** The buttons of a WebXR "xr-standard" gamepad. */
const TOUCHPAD = 2;
const STICK = 3;
const LOWER = 4;
const UPPER = 5;

export interface HandNow {
  readonly kind: "controller" | "hand";
  /** From the eye of the ray along −z, in the headset's space. */
  readonly ray: Matrix4;
  /** Where the hand is; null: the headset does not say. */
  readonly grip: Matrix4 | null;
  /** Trigger or pinch. */
  readonly select: boolean;
  readonly squeeze: boolean;
  /** X to the right, Y back, −1 to 1. */
  readonly stick: readonly [number, number];
  readonly stickPress: boolean;
  /** A or X. */
  readonly lower: boolean;
  /** B or Y. */
  readonly upper: boolean;
  /** Bare hands alone. */
  readonly joints: ReadonlyMap<XRHandJoint, Vector3> | null;
}

/** What a hand has begun or ended since the frame before. */
export interface HandEdges {
  readonly selectBegan: boolean;
  readonly selectEnded: boolean;
  readonly squeezeBegan: boolean;
  readonly squeezeEnded: boolean;
  readonly lowerBegan: boolean;
  readonly stickPressBegan: boolean;
}

/** As WebXR's gamepads have it. */
interface Throbbing {
  readonly pulse?: (strength: number, ms: number) => Promise<unknown>;
}

interface Held {
  source: XRInputSource;
  now: HandNow;
  edges: HandEdges;
}

/** What the events of a session tell of one source between two frames. */
interface Noted {
  select: boolean;
  squeeze: boolean;
  /** Began since the last frame, even if it has ended since. */
  selectBegan: boolean;
  selectEnded: boolean;
  squeezeBegan: boolean;
  squeezeEnded: boolean;
}

export interface HandsEvents {
  /** The hand is not to be seen any more, or another device holds it now. */
  readonly gone: (side: Side) => void;
}

export class Hands {
  readonly #held = new Map<Side, Held>();
  readonly #noted = new Map<XRInputSource, Noted>();
  readonly #leaving: (() => void)[];

  constructor(
    private readonly session: XRSession,
    private readonly events: HandsEvents,
  ) {
    const note = (type: "selectstart" | "selectend" | "squeezestart" | "squeezeend"): (() => void) => {
      const listener = ({ inputSource }: XRInputSourceEvent): void => this.#note(inputSource, type);
      session.addEventListener(type, listener);
      return () => session.removeEventListener(type, listener);
    };
    this.#leaving = [note("selectstart"), note("selectend"), note("squeezestart"), note("squeezeend")];
  }

  get(side: Side): HandNow | null {
    return this.#held.get(side)?.now ?? null;
  }

  edges(side: Side): HandEdges | null {
    return this.#held.get(side)?.edges ?? null;
  }

  /** Read a frame. `space`: the headset's own. */
  update(frame: XRFrame, space: XRReferenceSpace): void {
    const sources = new Map<Side, XRInputSource>();
    for (const source of this.session.inputSources) {
      const side = sideOf(source);
      // Two devices at one hand: bare hands stay beside controllers on some headsets; what was there first counts.
      if (side !== null && !sources.has(side) && isSeen(frame, space, source)) sources.set(side, source);
    }
    // Who comes from the other side comes with nothing pressed: first all let go, then the frame is read.
    for (const side of SIDES) {
      const held = this.#held.get(side);
      if (held === undefined || held.source === sources.get(side)) continue;
      if (!sources.has(side) && this.#hasJustLetGo(held))
        this.#keep(side, held.source, { ...held.now, select: false });
      else this.#drop(side);
    }
    for (const [side, source] of sources) {
      const now = readHand(frame, space, source, this.#noteOf(source));
      if (now !== null) this.#keep(side, source, now);
    }
  }

  /** The headset shows something else, or lies on the table: nothing is held. */
  forget(): void {
    for (const side of SIDES) this.#drop(side);
    this.#noted.clear();
  }

  /** Make a hand throb, where it can: something was touched. */
  pulse(side: Side, strength = 0.3, ms = 15): void {
    const actuators = this.#held.get(side)?.source.gamepad?.hapticActuators as
      readonly Throbbing[] | undefined;
    const actuator = actuators?.[0];
    actuator?.pulse?.(strength, ms).catch(() => undefined);
  }

  dispose(): void {
    for (const leave of this.#leaving) leave();
    this.forget();
  }

  #keep(side: Side, source: XRInputSource, now: HandNow): void {
    const before = this.#held.get(side)?.now ?? null;
    const noted = this.#noteOf(source);
    const edges: HandEdges = {
      selectBegan: noted.selectBegan,
      selectEnded: noted.selectEnded,
      squeezeBegan: noted.squeezeBegan,
      squeezeEnded: noted.squeezeEnded,
      // What is down already when a controller comes was not pressed here.
      lowerBegan: before !== null && now.lower && !before.lower,
      stickPressBegan: before !== null && now.stickPress && !before.stickPress,
    };
    noted.selectBegan = noted.selectEnded = noted.squeezeBegan = noted.squeezeEnded = false;
    this.#held.set(side, { source, now, edges });
  }

  #drop(side: Side): void {
    const held = this.#held.get(side);
    if (held === undefined) return;
    this.#held.delete(side);
    this.#noted.delete(held.source);
    this.events.gone(side);
  }

  /** Some headsets have a source for a pinch alone: it goes with the pinch, which acts all the same. */
  #hasJustLetGo({ source }: Held): boolean {
    return source.targetRayMode === "transient-pointer" && this.#noted.get(source)?.selectEnded === true;
  }

  #noteOf(source: XRInputSource): Noted {
    let noted = this.#noted.get(source);
    if (noted === undefined) {
      noted = {
        select: false,
        squeeze: false,
        selectBegan: false,
        selectEnded: false,
        squeezeBegan: false,
        squeezeEnded: false,
      };
      this.#noted.set(source, noted);
    }
    return noted;
  }

  /** Presses are told by events, so that none is missed however short it is. */
  #note(source: XRInputSource, type: "selectstart" | "selectend" | "squeezestart" | "squeezeend"): void {
    const noted = this.#noteOf(source);
    const begins = type.endsWith("start");
    if (type.startsWith("select")) {
      noted.select = begins;
      if (begins) noted.selectBegan = true;
      else noted.selectEnded = true;
    } else {
      noted.squeeze = begins;
      if (begins) noted.squeezeBegan = true;
      else noted.squeezeEnded = true;
    }
  }
}

/** Which hand holds a source; one that says neither is the person's right one. */
function sideOf({ handedness, targetRayMode }: XRInputSource): Side | null {
  if (targetRayMode === "screen") return null;
  return handedness === "left" ? "left" : "right";
}

/** A hand that the headset has lost keeps its source, and has no pose. */
function isSeen(frame: XRFrame, space: XRReferenceSpace, source: XRInputSource): boolean {
  return frame.getPose(source.targetRaySpace, space) !== undefined;
}

function readHand(
  frame: XRFrame,
  space: XRReferenceSpace,
  source: XRInputSource,
  noted: Readonly<Noted>,
): HandNow | null {
  const ray = frame.getPose(source.targetRaySpace, space);
  if (ray === undefined) return null;
  const grip = source.gripSpace === undefined ? undefined : frame.getPose(source.gripSpace, space);
  const { gamepad, hand } = source;
  const pressed = (index: number): boolean => gamepad?.buttons[index]?.pressed === true;
  const axes = gamepad?.axes ?? [];
  const hasStick = axes.length >= 4;
  const joints = hand == null ? null : readJoints(frame, space, hand);
  const wrist = joints?.get("wrist");
  return {
    kind: joints === null ? "controller" : "hand",
    ray: new Matrix4().fromArray(ray.transform.matrix),
    grip:
      grip !== undefined
        ? new Matrix4().fromArray(grip.transform.matrix)
        : wrist === undefined
          ? null
          : new Matrix4().setPosition(wrist),
    select: noted.select,
    squeeze: noted.squeeze,
    // Bare hands may come with buttons of gestures, which mean something else in each headset.
    stick: joints !== null ? [0, 0] : [axes[hasStick ? 2 : 0] ?? 0, axes[hasStick ? 3 : 1] ?? 0],
    stickPress: joints === null && pressed(hasStick ? STICK : TOUCHPAD),
    lower: joints === null && pressed(LOWER),
    upper: joints === null && pressed(UPPER),
    joints,
  };
}

function readJoints(frame: XRFrame, space: XRReferenceSpace, hand: XRHand): Map<XRHandJoint, Vector3> {
  const found = new Map<XRHandJoint, Vector3>();
  for (const [name, joint] of hand.entries()) {
    const pose = frame.getJointPose?.(joint, space);
    if (pose == null) continue;
    const { x, y, z } = pose.transform.position;
    found.set(name, new Vector3(x, y, z));
  }
  return found;
}
