/** Page: one menu of the headset. Menus are stacked: Back leads to the one below. */

import type { Role } from "../../state/shared/access";
import type { Project } from "../../state/shared/project";
import type { StepEditor } from "../../state/program/steps-editor";
import type { TeachDoing } from "../../state/teach/taught-steps";
import type { Teaching } from "../../state/teach/teacher";
import type { CellStage } from "../../scene/cell-stage";
import type { Row } from "../panel-content";

export interface Page {
  /** For tests. */
  readonly name: string;
  /** What it shows now; asked again whenever something may have changed. */
  readonly rows: () => readonly Row[];
  /** The person makes a point: the left hand guides the tool, and the handle is there for fine work. */
  readonly placing?: boolean;
  /** Robots are moved by hand. */
  readonly frame?: (input: PageInput) => void;
  /** B or Y; true: the page has used it itself. */
  readonly back?: () => boolean;
  /** Somebody leaves it: it lets go of everything. */
  readonly close?: () => void;
}

/** What a page may use of the hands in a frame. */
export interface PageInput {
  readonly seconds: number;
  /** Forward positive, −1 to 1: the larger of both sticks. */
  readonly stick: number;
}

/** What pages do their work with: the same as the panels of the page. */
export interface PageParts {
  readonly project: Project;
  readonly teaching: Teaching;
  readonly steps: StepEditor;
  readonly doing: TeachDoing;
  readonly stage: CellStage;
  /** Why this person may not do what needs this role; empty: they may. */
  readonly refusal: (need: Role) => string;
  /** Write lengths and angles in the person's units. */
  readonly writeLength: (metres: number) => string;
  readonly writeAngle: (radians: number) => string;
  /** Open another page above this one, go back to the one below, or to the first. */
  readonly open: (page: Page) => void;
  readonly goBack: () => void;
  readonly goHome: () => void;
  /** Something may have changed: show the page again. */
  readonly refresh: () => void;
}
