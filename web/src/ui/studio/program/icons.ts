/** A picture for each kind of step. */

import type { LucideIcon } from "@lucide/svelte";
import Braces from "@lucide/svelte/icons/braces";
import Clock from "@lucide/svelte/icons/clock";
import CornerDownRight from "@lucide/svelte/icons/corner-down-right";
import Folder from "@lucide/svelte/icons/folder";
import Download from "@lucide/svelte/icons/download";
import Gauge from "@lucide/svelte/icons/gauge";
import Grab from "@lucide/svelte/icons/grab";
import LogIn from "@lucide/svelte/icons/log-in";
import MessageSquare from "@lucide/svelte/icons/message-square";
import MoveRight from "@lucide/svelte/icons/move-right";
import Repeat from "@lucide/svelte/icons/repeat";
import RotateCw from "@lucide/svelte/icons/rotate-cw";
import Split from "@lucide/svelte/icons/split";
import ToggleRight from "@lucide/svelte/icons/toggle-right";
import Upload from "@lucide/svelte/icons/upload";
import Variable from "@lucide/svelte/icons/variable";
import type { ActionKind } from "../../../state/program/steps";

export const KIND_ICONS: Readonly<Record<ActionKind, LucideIcon>> = {
  "go to": MoveRight,
  "move axis": RotateCw,
  tool: Grab,
  pick: Upload,
  place: Download,
  wait: Clock,
  "set output": ToggleRight,
  "wait input": LogIn,
  speed: Gauge,
  set: Variable,
  comment: MessageSquare,
  call: CornerDownRight,
  group: Folder,
  repeat: Repeat,
  while: Braces,
  if: Split,
};
