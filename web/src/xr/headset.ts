/** The cell in a headset: enters a session of WebXR, and leaves everything as it was when that ends. */

import { Color } from "three";
import type { CellStage } from "../scene/cell-stage";
import type { Role } from "../state/shared/access";
import type { Project } from "../state/shared/project";
import type { Teaching } from "../state/teach/teacher";
import { HeadsetRoom } from "./room";
import type { Immersion } from "./support";

export interface HeadsetParts {
  readonly stage: CellStage;
  readonly project: Project;
  readonly teaching: Teaching;
  readonly dark: boolean;
  /** Why this person may not do what needs this role; empty: they may. */
  readonly refusal: (need: Role) => string;
  /** Write lengths and angles in the person's units. */
  readonly writeLength: (metres: number) => string;
  readonly writeAngle: (radians: number) => string;
  /** What STOP does, wherever it is pressed. */
  readonly stop: () => void;
}

const SKIES = { dark: "#171c23", light: "#cfd8e2" } as const;

/**
 * Show the cell in the headset. `ended` is called once, when the person has left, or the headset has. Raises what the
 * browser says where it does not let the page in.
 */
export async function enterHeadset(
  system: XRSystem,
  kind: Immersion,
  parts: HeadsetParts,
  ended: () => void,
): Promise<HeadsetRoom> {
  const session = await system.requestSession(kind, {
    requiredFeatures: ["local-floor"],
    optionalFeatures: ["hand-tracking"],
  });
  const { viewport } = parts.stage;
  const mode = parts.project.mode.value;
  const room = new HeadsetRoom(parts, session);
  const sky = kind === "immersive-ar" ? null : new Color(parts.dark ? SKIES.dark : SKIES.light);
  await viewport.present(
    session,
    sky,
    (nowMs, frame) => {
      const space = viewport.headsetSpace;
      if (space !== null) room.update(nowMs, frame, space);
    },
    () => {
      room.dispose();
      parts.project.operation.jogging.end();
      parts.project.mode.set(mode);
      ended();
    },
  );
  return room;
}
