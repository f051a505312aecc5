import { expect, it } from "vitest";
import { Hands } from "./hands";
import type { Side } from "./presses";

/** A session in which a test puts sources and events, as the WebXR specification describes them. */
function makeSession() {
  const target = new EventTarget();
  const session = Object.assign(target, { inputSources: [] as XRInputSource[] });
  const tell = (type: string, inputSource: XRInputSource): void => {
    target.dispatchEvent(Object.assign(new Event(type), { inputSource }));
  };
  return { session: session as unknown as XRSession & { inputSources: XRInputSource[] }, tell };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function makeSource(handedness: XRHandedness, mode: XRTargetRayMode = "tracked-pointer") {
  const buttons = Array.from({ length: 6 }, () => ({ pressed: false, touched: false, value: 0 }));
  const axes = [0, 0, 0, 0];
  const spaces = { tracked: true };
  const source = {
    handedness,
    targetRayMode: mode,
    targetRaySpace: spaces,
    gripSpace: spaces,
    gamepad: { buttons, axes },
  };
  return { source: source as unknown as XRInputSource, buttons, axes, spaces };
}

const frame = {
  getPose: (space: { tracked: boolean }) => (space.tracked ? { transform: { matrix: IDENTITY } } : undefined),
} as unknown as XRFrame;
const space = {} as XRReferenceSpace;

function make() {
  const { session, tell } = makeSession();
  const gone: Side[] = [];
  const hands = new Hands(session, { gone: (side) => gone.push(side) });
  return { session, tell, gone, hands, read: () => hands.update(frame, space) };
}

it("knows no hands before there are any, and takes one that comes late", () => {
  const { session, hands, read } = make();
  read();
  expect([hands.get("left"), hands.get("right")]).toEqual([null, null]);
  session.inputSources = [makeSource("right").source];
  read();
  expect(hands.get("left")).toBeNull();
  expect(hands.get("right")?.kind).toBe("controller");
});

it("a press that begins and ends between two frames is not lost", () => {
  const { session, tell, hands, read } = make();
  const { source } = makeSource("right");
  session.inputSources = [source];
  read();
  tell("selectstart", source);
  tell("selectend", source);
  read();
  expect(hands.edges("right")).toMatchObject({ selectBegan: true, selectEnded: true });
  expect(hands.get("right")?.select).toBe(false);
  read();
  expect(hands.edges("right")).toMatchObject({ selectBegan: false, selectEnded: false });
});

it("a controller that goes, or is lost from sight, is let go of once", () => {
  const { session, tell, gone, hands, read } = make();
  const { source, spaces } = makeSource("left");
  session.inputSources = [source];
  tell("squeezestart", source);
  read();
  expect(hands.get("left")?.squeeze).toBe(true);
  spaces.tracked = false;
  read();
  read();
  expect(gone).toEqual(["left"]);
  expect(hands.get("left")).toBeNull();
  // Back in sight it is not held any more, whatever it held before.
  spaces.tracked = true;
  read();
  expect(hands.get("left")?.squeeze).toBe(false);
});

it("controllers that change sides let go of both", () => {
  const { session, tell, gone, hands, read } = make();
  const [a, b] = [makeSource("left"), makeSource("right")];
  session.inputSources = [a.source, b.source];
  tell("selectstart", a.source);
  read();
  expect(hands.get("left")?.select).toBe(true);
  Object.assign(a.source, { handedness: "right" });
  Object.assign(b.source, { handedness: "left" });
  read();
  expect(gone.toSorted()).toEqual(["left", "right"]);
  expect(hands.get("left")?.select).toBe(false);
});

it("what is down already when a controller comes was not pressed here", () => {
  const { session, hands, read } = make();
  const { source, buttons } = makeSource("right");
  const lower = buttons[4];
  if (lower === undefined) throw new Error("no button A");
  lower.pressed = true;
  session.inputSources = [source];
  read();
  expect(hands.edges("right")?.lowerBegan).toBe(false);
  lower.pressed = false;
  read();
  lower.pressed = true;
  read();
  expect(hands.edges("right")?.lowerBegan).toBe(true);
});

it("a finger on a screen is no hand; a source of neither side is the right one", () => {
  const { session, hands, read } = make();
  session.inputSources = [makeSource("none", "screen").source];
  read();
  expect(hands.get("right")).toBeNull();
  session.inputSources = [makeSource("none", "transient-pointer").source];
  read();
  expect(hands.get("right")).not.toBeNull();
});

it("a pinch that has a source of its own acts when it goes with it", () => {
  const { session, tell, gone, hands, read } = make();
  const { source } = makeSource("right", "transient-pointer");
  session.inputSources = [source];
  tell("selectstart", source);
  read();
  expect(hands.edges("right")?.selectBegan).toBe(true);
  tell("selectend", source);
  session.inputSources = [];
  read();
  expect(hands.edges("right")?.selectEnded).toBe(true);
  read();
  expect(hands.get("right")).toBeNull();
  expect(gone).toEqual(["right"]);
});
