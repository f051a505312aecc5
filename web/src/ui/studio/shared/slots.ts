/** Which panels a mode shows, and where. A panel that two modes share stays as it is when the mode changes. */

import type { Component } from "svelte";
import type { Mode } from "../../../state/shared/project";
import BuildPanel from "../build/panel.svelte";
import InspectorPanel from "../build/inspector-panel.svelte";
import PadPanel from "../hands/panel.svelte";
import OperatePanel from "../operate/panel.svelte";
import ProgramInspector from "../program/inspector.svelte";
import ProgramPanel from "../program/panel.svelte";
import TeachPanel from "../teach/panel.svelte";
import TeachPoints from "../teach/points.svelte";
import TimelinePanel from "../program/timeline-panel.svelte";
import TreePanel from "../build/tree-panel.svelte";

export interface Slots {
  /** One above the other. */
  readonly left: readonly Component[];
  readonly right: readonly Component[];
  /** Side by side. */
  readonly bottom: readonly Component[];
}

export const SLOTS: Readonly<Record<Mode, Slots>> = {
  build: { left: [BuildPanel, TreePanel], right: [InspectorPanel], bottom: [] },
  teach: { left: [TreePanel], right: [TeachPanel, PadPanel], bottom: [ProgramPanel, TeachPoints] },
  program: { left: [TreePanel], right: [ProgramInspector], bottom: [ProgramPanel, TimelinePanel] },
  operate: { left: [TreePanel], right: [OperatePanel, PadPanel], bottom: [ProgramPanel, TimelinePanel] },
};

/** Panels whose every control is an edit, and so for engineers alone. */
export const EDITING: ReadonlySet<Component> = new Set<Component>([
  BuildPanel,
  InspectorPanel,
  ProgramInspector,
]);

export const MODES: readonly Mode[] = ["build", "teach", "program", "operate"];
