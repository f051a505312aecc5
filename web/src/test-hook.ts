/** What tests may read of the page: `window.openpendant`. Read-only; nothing here moves a robot. */

import type { ScreenPoint } from "./scene/stage";
import { measure } from "./state/measuring";
import type { JointsNow } from "./state/operating-frames";
import type { Programs } from "./state/patching";
import type { CheckState, Project } from "./state/project";
import { writeRoute } from "./state/routing";
import type { Context } from "./ui/context";
import { seenStage, type SeenStage } from "./ui/studio/view-seen";
import type { Pose } from "./wire/generated";
import type { Cell, Operating } from "./wire/studio";

export interface TestHook {
  /** Where in the page, as the address has it. */
  readonly route: string;
  /** The project that is open; null: none, or not all of it is here yet. */
  readonly project: ProjectSeen | null;
  /** The view of that project; null: none. */
  readonly view: ViewSeen | null;
  readonly robot: string | null;
  readonly arm: string | null;
  /** Joints of the active arm, or of the platform; radians and metres. */
  readonly q: readonly number[];
  /** The last pose that the server told for exactly these joints; null while it is on its way. */
  readonly pose: Pose | null;
  readonly frame: string | null;
  readonly base: string | null;
  readonly connected: boolean;
  /** True where every question has its answer and nothing moves by itself. */
  readonly settled: boolean;
  /** True where every body of the robot is there. */
  readonly complete: boolean;
  readonly dragging: boolean;
  readonly framesDrawn: number;
  /** What the graphics card holds. */
  readonly held: { readonly geometries: number; readonly textures: number } | null;
  /** Where the tool's handle is on the page, in CSS pixels. */
  readonly tool: ScreenPoint | null;
  /** Which part of the handle the pointer is on. */
  readonly touched: string | null;
  /** Where the ring of an axis, or this far along its arrow (0 to 0.6), can be grabbed, in CSS pixels. */
  readonly grab: (axis: "X" | "Y" | "Z", far?: number) => ScreenPoint | null;
}

/** The open project as this page knows it. */
export interface ProjectSeen {
  readonly id: string;
  readonly seq: number;
  readonly link: string;
  readonly saved: string;
  readonly mode: string;
  readonly selection: readonly string[];
  readonly openProgram: string | null;
  readonly openStep: string | null;
  readonly cell: Cell;
  readonly programs: Programs;
  readonly people: readonly string[];
  readonly history: { readonly undo: readonly string[]; readonly redo: readonly string[] };
  /** By program: "checking", "clear", or the first step that fails. */
  readonly checks: Readonly<Record<string, string>>;
  /** The robots that run, as the server told last. */
  readonly operating: Operating;
  /** By robot/arm. */
  readonly joints: JointsNow;
}

/** The view of a cell. */
export interface ViewSeen {
  /** True where every robot has its bodies, and nothing moves by itself. */
  readonly settled: boolean;
  readonly dragging: boolean;
  readonly touched: string | null;
  readonly hover: string | null;
  readonly framesDrawn: number;
  readonly held: { readonly geometries: number; readonly textures: number };
  /** Metres; null while fewer than two places are chosen. */
  readonly measured: number | null;
  /** The arm that is taught: its joints, and its TCP in the world. */
  readonly taught: {
    readonly robot: string;
    readonly arm: string;
    readonly q: readonly number[];
    readonly tcp: Pose | null;
    readonly nearest: string | null;
    readonly touches: boolean;
  } | null;
  readonly toolTilt: readonly [number, number];
  /** Joints of a robot as it is drawn, radians and metres. */
  readonly joints: (robot: string) => readonly number[];
  /** Where a thing is drawn, in the cell's world; a run or a drag may have brought it there. */
  readonly drawn: (name: string) => readonly number[] | null;
  /** Where a thing is on the page, in CSS pixels. */
  readonly at: (name: string) => ScreenPoint | null;
  /** Where a place of the cell's world is on the page. */
  readonly spot: (x: number, y: number, z: number) => ScreenPoint;
  readonly grab: (axis: "X" | "Y" | "Z", far?: number) => ScreenPoint;
}

declare global {
  interface Window {
    openpendant?: TestHook;
  }
}

export function installTestHook({ router, project, session, stage }: Context): void {
  const robot = () => (session.shown.value.state === "ready" ? session.shown.value.robot : null);
  const arm = () => robot()?.active.value ?? null;
  window.openpendant = {
    get route() {
      return writeRoute(router.route.value);
    },
    get project() {
      const { value } = project;
      return value?.ready.value ? seen(value) : null;
    },
    get view() {
      const { value } = seenStage;
      return value === null ? null : seenView(value, session.live.idle);
    },
    get robot() {
      return robot()?.info.name ?? null;
    },
    get arm() {
      return arm()?.info.name ?? null;
    },
    get q() {
      return arm()?.q.value ?? robot()?.platform?.values.value ?? [];
    },
    get pose() {
      const stance = arm()?.stance.value;
      return stance && stance.q === arm()?.q.value ? stance.answer.pose : null;
    },
    get frame() {
      return arm()?.frame.value ?? null;
    },
    get base() {
      return arm()?.base.value ?? null;
    },
    get connected() {
      return session.link.value === "open";
    },
    get settled() {
      return session.live.idle && arm()?.gliding !== true && stage.value?.settled !== false;
    },
    get complete() {
      const bodies = robot()?.bodies.value;
      return bodies !== null && bodies !== undefined && bodies.loaded === bodies.total;
    },
    get dragging() {
      return stage.value?.dragging ?? false;
    },
    get framesDrawn() {
      return stage.value?.framesDrawn ?? 0;
    },
    get held() {
      return stage.value?.held ?? null;
    },
    get tool() {
      return stage.value?.handleOnPage() ?? null;
    },
    get touched() {
      return stage.value?.touched ?? null;
    },
    grab: (axis, far = 0.53) => stage.value?.grabOnPage(axis, far) ?? null,
  };
}

function seenView({ stage, teaching, measuring, view }: SeenStage, idle: boolean): ViewSeen {
  const taught = teaching.taught.value;
  const { from, to } = measuring;
  return {
    settled: stage.settled && idle && (!teaching.showing || taught?.control.resting !== false),
    dragging: stage.dragging,
    touched: stage.touched,
    hover: view.hover.value,
    framesDrawn: stage.viewport.framesDrawn,
    held: stage.viewport.held,
    measured: from.value !== null && to.value !== null ? measure(from.value, to.value).distance : null,
    taught:
      taught === null
        ? null
        : {
            robot: taught.robot,
            arm: taught.arm,
            q: taught.control.q.value,
            tcp: teaching.tcp.value,
            nearest: teaching.nearness.value?.near?.b ?? null,
            touches: teaching.nearness.value?.touches ?? false,
          },
    toolTilt: stage.toolView.tilt,
    joints: (robot) => {
      const drawn = stage.robots.view(robot);
      const angle = (name: string): number =>
        (drawn?.model.joint(name) as { readonly angle: number } | undefined)?.angle ?? NaN;
      return (drawn?.info.arms ?? []).flatMap(({ joints }) => joints.map(({ name }) => angle(name)));
    },
    drawn: (name) => stage.objects.get(name)?.position.toArray() ?? null,
    at: (name) => stage.onPage(name),
    spot: (x, y, z) => stage.spotOnPage(x, y, z),
    grab: (axis, far = 0.53) => stage.grabOnPage(axis, far),
  };
}

function seen(project: Project): ProjectSeen {
  return {
    id: project.id,
    seq: project.seq,
    link: project.link.value,
    saved: project.saved.value.state,
    mode: project.mode.value,
    selection: project.selection.value,
    openProgram: project.openProgram.value,
    openStep: project.openStep.value,
    cell: project.cell.value,
    programs: project.programs.value,
    people: project.people.value.map(({ name }) => name),
    history: project.history.value,
    checks: Object.fromEntries(
      Object.entries(project.checks.value).map(([name, check]) => [name, verdict(check)]),
    ),
    operating: project.operation.now.value,
    joints: project.operation.joints.value,
  };
}

function verdict(check: CheckState): string {
  if (check.state === "checking") return "checking";
  const { report, summary } = check.checked;
  if (report === null) return summary;
  return report.clear ? "clear" : (report.first_failing ?? "start");
}
