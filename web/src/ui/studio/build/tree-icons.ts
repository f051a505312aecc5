/** A picture for each kind of thing. */

import type { LucideIcon } from "@lucide/svelte";
import Axis3d from "@lucide/svelte/icons/axis-3d";
import Bot from "@lucide/svelte/icons/bot";
import Box from "@lucide/svelte/icons/box";
import BoxSelect from "@lucide/svelte/icons/box-select";
import Crosshair from "@lucide/svelte/icons/crosshair";
import Cuboid from "@lucide/svelte/icons/cuboid";
import ListOrdered from "@lucide/svelte/icons/list-ordered";
import ToggleLeft from "@lucide/svelte/icons/toggle-left";
import Wrench from "@lucide/svelte/icons/wrench";
import type { TreeGroup } from "../../../state/build/tree";

export const GROUP_ICONS: Readonly<Record<TreeGroup, LucideIcon>> = {
  robots: Bot,
  parts: Box,
  obstacles: Cuboid,
  frames: Axis3d,
  points: Crosshair,
  tools: Wrench,
  signals: ToggleLeft,
  spaces: BoxSelect,
  programs: ListOrdered,
};
