/** What every part of the interface can reach. */

import { getContext, onMount, setContext } from "svelte";
import type { CellStage } from "../scene/cell-stage";
import type { Library } from "../state/shared/library";
import type { LiveLine } from "../state/shared/live-line";
import type { Measuring } from "../state/shared/measurement";
import type { Notices } from "../state/shared/notices";
import type { Pictures } from "../state/shared/pictures";
import type { Preferences } from "../state/shared/preferences";
import type { Project } from "../state/shared/project";
import type { Router } from "../state/shared/routes";
import type { Seat } from "../state/shared/seat";
import type { Store } from "../state/shared/store";
import type { StudioView } from "../state/shared/studio-view";
import type { Teaching } from "../state/teach/teacher";
import type { RawSocket } from "../wire/reconnecting-socket";
import type { HeadsetRoom } from "../xr/room";
import type { Command, CommandRegistry } from "./commands";

export interface Context {
  readonly router: Router;
  readonly preferences: Preferences;
  /** Who this tab is among the people of a project. */
  readonly seat: Seat;
  readonly commands: CommandRegistry;
  readonly notices: Notices;
  /** To the server's kinematics. */
  readonly line: LiveLine;
  /** The projects of this machine. */
  readonly library: Library;
  /** How they looked. */
  readonly pictures: Pictures;
  /** The project that is open in the studio. */
  readonly project: Store<Project | null>;
  /** A line to a project. */
  readonly dial: (project: string) => RawSocket;
  /** The view of the studio; null: none is open. */
  readonly stageSeen: Store<SeenStage | null>;
  /** What a person sees in a headset; null: nobody wears one here. */
  readonly headsetSeen: Store<HeadsetRoom | null>;
  /** True where the dark theme is shown. */
  readonly dark: Store<boolean>;
  /** Which panel is drawn out over the view, on narrow screens. */
  readonly drawer: Store<"left" | "right" | null>;
  /** The list of commands: to find one, or to see their keys. */
  readonly sheet: Store<"palette" | "keys" | null>;
}

/** The view of the studio, and how a person looks at it. */
export interface SeenStage {
  readonly stage: CellStage;
  readonly teaching: Teaching;
  readonly measuring: Measuring;
  readonly view: StudioView;
}

const KEY = Symbol("openpendant");

export function provideContext(context: Context): void {
  setContext(KEY, context);
}

export function useContext(): Context {
  return getContext<Context>(KEY);
}

const COMPLAINT = Symbol("complaint");

/** Where a part of the page shows what could not be done; number fields tell it there. */
export function provideComplaint(complaint: Store<string | null>): void {
  setContext(COMPLAINT, complaint);
}

export function useComplaint(): Store<string | null> {
  return getContext<Store<string | null> | undefined>(COMPLAINT) ?? useContext().line.complaint;
}

/** Have these commands as long as the component is there. */
export function useCommands(list: () => readonly Command[]): void {
  const { commands } = useContext();
  onMount(() => commands.register(list()));
}
