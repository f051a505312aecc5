// Projects, cells, programs, and what is said about them. Generated from src/openpendant/messages/project.py; do not edit.
// Regenerate with: python tools/generate_types.py

import type { ControllerCapabilities, JointIntent, Pose, PoseIntent, RobotButton, RobotWindow, SaidMessage, SampleBatch, TwistIntent } from "./generated";

/** What a page of this version speaks. */
export const PROTOCOL = 5;

export type Action = Wait | GoTo | MoveAxis | Tool | PickPart | PlacePart | SetOutput | WaitInput | SpeedOverride | SetVariable | Comment | Call | Group | Repeat | While | If;

/** Put a thing into the cell. Its inverse removes it. */
export interface Add {
  readonly do: "add";
  readonly section: "frames" | "objects" | "points" | "robots" | "signals" | "spaces" | "tools";
  /** The thing, or its plain values. */
  readonly item: unknown;
  /** Its place in the list; None: the end. */
  readonly index?: number | null;
}

/** A new program, under a name that is not taken. */
export interface AddProgram {
  readonly edit: "add program";
  /** The program, or its plain values. */
  readonly program: unknown;
}

/** Another way to make a step that fails; it was checked like the step itself. */
export interface Alternative {
  readonly kind: "branch" | "pick" | "place" | "turn" | "way round";
  readonly message: string;
  /** Joints at the end. */
  readonly q?: readonly number[] | null;
  /** For a turn: how much further about the tool's own z. */
  readonly turn_rad?: number;
  /** For a way round: joints on the way, the end included. */
  readonly way?: readonly (readonly number[])[];
  /** For a pick or place: what takes the place of the step. */
  readonly action?: PickPart | PlacePart | null;
  /** For a pick or place: ids of the steps that it stands for, the failing one among them. */
  readonly instead_of?: readonly string[];
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Several edits as one: all or none. Its inverse is the inverses in reverse order. */
export interface Batch {
  readonly do: "batch";
  readonly commands: readonly Command[];
  readonly title?: string;
}

/** A box; its origin is its middle. */
export interface BoxShape {
  readonly type: "box";
  /** Lengths of its edges along x, y, z, metres. */
  readonly size: readonly [number, number, number];
}

/** Run another program of the cell, on its own arm, and come back. */
export interface Call {
  readonly do: "call";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly program: string;
}

/** A cell: everything that stands in one room with the robots. */
export interface Cell {
  /** The form of this file; older ones are brought up to date when they are read. */
  readonly format?: number;
  readonly name: string;
  readonly title?: string;
  readonly notes?: string;
  readonly robots?: readonly CellRobot[];
  readonly tools?: readonly CellTool[];
  readonly frames?: readonly CellFrame[];
  readonly objects?: readonly CellObject[];
  readonly points?: readonly CellPoint[];
  readonly signals?: readonly Signal[];
  readonly spaces?: readonly CellSpace[];
}

/** A work object: a frame that points and things can be placed in. */
export interface CellFrame {
  readonly name: string;
  readonly pose?: Pose;
  /** `world`, another frame, or a robot (its root link). */
  readonly parent?: string;
  /** The group that it is listed in; empty: none. */
  readonly group?: string;
}

export type CellItem = CellRobot | CellTool | CellFrame | CellObject | CellPoint | Signal | CellSpace;

/** A thing that stands in the cell: an obstacle, or a part that can be grasped. */
export interface CellObject {
  readonly name: string;
  readonly shape: Shape;
  readonly pose?: Pose;
  /** What its pose is given in: `world`, a frame, or a robot (its root link). */
  readonly frame?: string;
  /** No robot may come nearer than this. */
  readonly margin_m?: number;
  readonly color?: string;
  readonly opacity?: number;
  /** True for a part that tools take; false for what stands fixed. */
  readonly graspable?: boolean;
  /** False for what is only to be seen. */
  readonly collides?: boolean;
  readonly visible?: boolean;
  /** The group that it is listed in; empty: none. */
  readonly group?: string;
}

/** A named point: where a tool's TCP can be sent. */
export interface CellPoint {
  readonly name: string;
  readonly pose: Pose;
  /** What its pose is given in: `world`, a frame, or a robot (its root link). */
  readonly frame?: string;
  /** The robot it was made for; empty: any. */
  readonly robot?: string;
  /** The arm of that robot; empty: the first. */
  readonly arm?: string;
  /** The joints it was taught with, which choose the configuration. */
  readonly q?: readonly number[] | null;
  /** The group that it is listed in; empty: none. */
  readonly group?: string;
}

/** A robot of the catalogue that stands in the cell. */
export interface CellRobot {
  readonly name: string;
  /** Its name in the catalogue. */
  readonly model: string;
  /** Its root link in the world. */
  readonly pose?: Pose;
  /**
   * By arm, the tool of the cell that it carries; null: nothing. An arm that is not named here carries what the
   * catalogue gives it.
   */
  readonly tools?: Readonly<Record<string, string | null>>;
  /**
   * By arm, the joints at the start, radians (metres where a joint slides); an arm that is not named here starts in
   * the first posture of the catalogue.
   */
  readonly joints?: Readonly<Record<string, readonly number[]>>;
  /** The group that it is listed in; empty: none. */
  readonly group?: string;
}

/** A box that the TCP of a robot must stay inside of, or outside of. */
export interface CellSpace {
  readonly name: string;
  /**
   * A TCP stays inside at least one allowed space, where its robot has any, and outside all forbidden ones.
   */
  readonly kind: "allowed" | "forbidden";
  /** Lengths of its edges along x, y, z, metres. */
  readonly size: readonly [number, number, number];
  /** Of its middle. */
  readonly pose?: Pose;
  /** What its pose is given in: `world`, a frame, or a robot (its root link). */
  readonly frame?: string;
  /** The robots that it holds for; none: all. */
  readonly robots?: readonly string[];
  /** The group that it is listed in; empty: none. */
  readonly group?: string;
}

/** A tool that an arm can carry. */
export interface CellTool {
  readonly name: string;
  /** Its working point in the flange. */
  readonly tcp: Pose;
  /**
   * The tool of the robot's catalogue entry whose body and fingers it has; empty: it has `parts` instead.
   */
  readonly catalogue?: string;
  readonly parts?: readonly ToolPart[];
  readonly mass_kg?: number;
  /** Its centre of gravity in the flange. */
  readonly com_m?: readonly [number, number, number];
  /**
   * How it is opened on the robot's controller; null: not wired, and opened in the simulation only.
   */
  readonly open?: ToolAction | null;
  /** How it is closed; null: not wired. */
  readonly close?: ToolAction | null;
  /** The group that it is listed in; empty: none. */
  readonly group?: string;
}

/** What a check has found, of the project as of patch `seq`. */
export interface Checked {
  readonly type: "checked";
  readonly program: string;
  readonly seq: number;
  readonly report: Report | null;
  /** The answer in one sentence; where there is no report, why. */
  readonly summary: string;
  readonly took_ms: number;
  /** `summary` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** A check has begun. */
export interface Checking {
  readonly type: "checking";
  readonly program: string;
  readonly seq: number;
}

export type Command = Add | Remove | Replace | Rename | Move | Reorder | SetField | Batch;

/** Words for people. */
export interface Comment {
  readonly do: "comment";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly text: string;
}

/**
 * Start the robots of the cell: real ones at an address, virtual controllers for those that have one, else
 * kinematic ones.
 */
export interface Connect {
  readonly type: "connect";
  readonly id: number;
  /** By robot; "kinematic": without a controller, also where the robot has a virtual one. */
  readonly addresses?: Readonly<Record<string, string>>;
}

/** Ask whoever has control to give it. */
export interface ControlRequest {
  readonly type: "ask control";
  readonly id: number;
  readonly robot: string;
}

/** A cylinder about z; its origin is its middle. */
export interface CylinderShape {
  readonly type: "cylinder";
  readonly radius: number;
  readonly length: number;
}

/** Bring all robots to rest and end them. */
export interface Disconnect {
  readonly type: "disconnect";
  readonly id: number;
}

/** An edit, undo, redo or save was made. */
export interface Done {
  readonly type: "done";
  readonly id: number;
  readonly seq: number;
}

/** Put a copy with ids of its own after a step. Its inverse removes the copy. */
export interface DuplicateStep {
  readonly do: "duplicate";
  readonly id: string;
}

/** Make an edit. */
export interface Edit {
  readonly type: "edit";
  readonly id: number;
  readonly edit: ProjectEdit;
}

/** A command to the cell; programs follow what it renames. */
export interface EditCell {
  readonly edit: "cell";
  readonly command: Command;
}

/** Several edits as one, as when a point is taught and a step goes there: all or none, one undo. */
export interface EditGroup {
  readonly edit: "together";
  readonly edits: readonly ProjectEdit[];
  readonly title?: string;
}

/** A command to one program. */
export interface EditProgram {
  readonly edit: "program";
  readonly program: string;
  readonly command: ProgramCommand;
}

/** Give one field of a step another value. Its inverse gives the old value back. */
export interface EditStep {
  readonly do: "edit";
  readonly id: string;
  /** The field, or a path into it: `speed`, `to/pose/xyz/0`, `offset`. */
  readonly field: string;
  /** Plain values; null: the field's default. */
  readonly value: unknown;
}

/** Switch a step on or off. Its inverse switches it back. */
export interface EnableStep {
  readonly do: "enable";
  readonly id: string;
  readonly enabled: boolean;
}

/** Clutch in: from now on `intend` moves this arm, from where it is. */
export interface Engage {
  readonly type: "engage";
  readonly id: number;
  readonly robot: string;
  readonly arm?: string;
  /**
   * Whether intents count only while they say that the dead-man switch is held; real robots need that anyway.
   */
  readonly needs_dead_man?: boolean;
}

/** Something that happened. */
export interface Event {
  readonly type: "event";
  readonly number: number;
  readonly robot: string;
  /** Seconds since 1970. */
  readonly time_s: number;
  /** "person" for what somebody did; else as the robot's controller and its process say. */
  readonly kind: "closed" | "connected" | "emergency stop" | "fault" | "halt" | "held" | "input" | "job done" | "job failed" | "job held" | "job started" | "job stopped" | "lease lost" | "lost" | "message" | "mode" | "not connected" | "not ready" | "output" | "paused" | "person" | "popup" | "process ended" | "process started" | "protective stop" | "ready" | "recovered" | "reduced" | "resumed" | "safety" | "silent" | "start failed" | "stopped" | "stumbled" | "tool" | "warning";
  /** What was done, as "run" or "stop"; or the arm, signal or job. */
  readonly about: string;
  /** What it was done with, or what was said about it. */
  readonly message: string;
  /** The name of the person who did it; empty: no person. */
  readonly who?: string;
  /** What they did; None: no deed of a person. */
  readonly did?: "ask control" | "connect" | "disconnect" | "give control" | "hand over" | "jog" | "leave" | "lift reduced" | "pause" | "press" | "reduce" | "reset parts" | "resume" | "resume stopped" | "run" | "speed" | "step" | "stop" | "switch off" | "switch on" | "take control" | "take over" | "tool" | null;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** What has happened since the last of these, oldest first. */
export interface Events {
  readonly type: "events";
  readonly events: readonly Event[];
}

/** Something to be said of a step. */
export interface Finding {
  readonly kind: "collision" | "endless" | "limit" | "no circle" | "singular" | "space" | "speed never reached" | "tool" | "unreachable" | "wiring" | "zone cut";
  readonly message: string;
  /** False for a remark: the step can be made, but not quite as it was written. */
  readonly fails: boolean;
  /** How far along the move, 0 to 1. */
  readonly fraction?: number | null;
  readonly joint?: string | null;
  /** For a collision: what with what, and where. */
  readonly near?: Near | null;
  /** The joints there. */
  readonly q?: readonly number[] | null;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

export type FromClient = Hello | Introduce | Edit | Undo | Redo | Save | Reload | Resync | Look | Watch | SimulationRequest | NearestRequest | Connect | Probe | Disconnect | TakeControl | GiveControl | ControlRequest | Run | Pause | Resume | SingleStep | ResumeStopped | SetBreakpoints | ResetParts | SetSpeed | Stop | SwitchOutput | SetTool | Engage | Intend | Press | Pong | Present | SetReduced | WatchSamples;

export type FromOperator = Connect | Probe | Disconnect | TakeControl | GiveControl | ControlRequest | Run | Pause | Resume | SingleStep | ResumeStopped | SetBreakpoints | ResetParts | SetSpeed | Stop | SwitchOutput | SetTool | Engage | Intend | Press | Pong | Present | SetReduced | WatchSamples;

export type FromRobots = Operating | Events | ProbeReply | Ping | Stopped | RobotSamples;

export type FromServer = Whole | Patched | People | HistoryNow | SaveState | Done | Refusal | Checking | Checked | Simulated | NearestNow | Operating | Events | ProbeReply | Ping | Stopped | RobotSamples;

/** Give control of a robot back, or to somebody who asked for it. */
export interface GiveControl {
  readonly type: "give control";
  readonly id: number;
  readonly robot: string;
  /** A client; empty: whoever takes it next. */
  readonly to?: string;
}

/**
 * Bring the tool to a point: by joints, in a straight line, or on a circle through another point.
 */
export interface GoTo {
  readonly do: "go to";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly to: string | InlinePoint;
  readonly how?: "arc" | "joint" | "line";
  /** For an arc: the point on the way. */
  readonly via?: string | InlinePoint | null;
  readonly offset?: Offset | null;
  /** The tool whose TCP is meant, one of the cell; empty: the one that the arm carries. */
  readonly tool?: string;
  readonly speed?: string;
  readonly zone?: string;
}

/** Steps that belong together. */
export interface Group {
  readonly do: "group";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly title: string;
  readonly steps?: readonly Action[];
}

/** The first message of a client. */
export interface Hello {
  readonly type: "hello";
  /** Unique for each browser or script, and the same after a reconnect: its undo stays its own. */
  readonly client: string;
  /** For people. */
  readonly name: string;
  /**
   * Which it speaks, up to `PROTOCOL`. 5: it reads live joints with their stamps. 4: it knows what controllers can
   * do, shows their buttons, and knows titles and notes by their codes. 3: it knows what is said by its code. 2: it
   * answers `Ping`, says `Present`, stamps its intents, and knows `Stopped`. 1: none of it.
   */
  readonly protocol?: number;
}

/** What this client can undo and redo, as text; the next one last. */
export interface HistoryNow {
  readonly type: "history";
  readonly undo: readonly string[];
  readonly redo: readonly string[];
  /** `undo` by their codes; None: it has none. Empty: none of them has one. */
  readonly undo_said?: readonly (SaidMessage | null)[];
  /** `redo` likewise. */
  readonly redo_said?: readonly (SaidMessage | null)[];
}

/** Do steps where a condition holds, and others where it does not. */
export interface If {
  readonly do: "if";
  readonly id?: string;
  readonly enabled?: boolean;
  /** Over inputs and variables: `part_present and count < 3`. */
  readonly condition: string;
  readonly steps?: readonly Action[];
  readonly otherwise?: readonly Action[];
}

/** A point that has no name in the cell. */
export interface InlinePoint {
  /** Of the tool's TCP in `frame`. */
  readonly pose: Pose;
  /** `world`, a frame of the cell, or a robot (its root link). */
  readonly frame?: string;
  /** Joints that choose the configuration. */
  readonly q?: readonly number[] | null;
}

/** Put a step into the program, with all that is inside it. Its inverse removes it. */
export interface InsertStep {
  readonly do: "insert";
  /**
   * The action, or its plain values. One without an id gets the next free one; a Tool step without a state gets
   * the opposite of the Tool step before it.
   */
  readonly action: unknown;
  readonly at?: Place;
}

/**
 * What the person wants the arm to do now; not answered, the newest counts.
 *
 * The stamp of the intent is when its sample was taken, on the client's own monotonic clock, the one of `Pong`: the
 * server converts it. What is too old, or comes before the server knows that clock, is dropped. The source is the
 * server's.
 */
export interface Intend {
  readonly type: "intend";
  readonly robot: string;
  readonly intent: TwistIntent | PoseIntent | JointIntent;
}

/** Be known by another name from now on; not answered. */
export interface Introduce {
  readonly type: "introduce";
  readonly name: string;
}

/**
 * One section of the cell: what is new or different in it, and in which order its things stand now.
 */
export interface ItemChange {
  readonly section: "frames" | "objects" | "points" | "robots" | "signals" | "spaces" | "tools";
  /** Those that are new or differ; things of that section, or their plain values. */
  readonly items: readonly unknown[];
  /** All names in their order; None: the same names in the same order as before. */
  readonly order?: readonly string[] | null;
}

/** What this person looks at, for the others to see. */
export interface Look {
  readonly type: "look";
  readonly mode?: string;
  readonly selected?: readonly string[];
  readonly program?: string;
}

/** A mesh in a file of the cell's folder (STL, OBJ, GLB, PLY). */
export interface MeshShape {
  readonly type: "mesh";
  /** Path from the cell's folder, with forward slashes. */
  readonly file: string;
  /** What its numbers are multiplied with to be metres: 0.001 for a file in millimetres. */
  readonly scale?: number;
}

/** Put a thing at another pose in its frame. Its inverse moves it back. */
export interface Move {
  readonly do: "move";
  readonly name: string;
  readonly pose: Pose;
}

/** Bring the joints to given values; all start and stop together. */
export interface MoveAxis {
  readonly do: "move axis";
  readonly id?: string;
  readonly enabled?: boolean;
  /** In the vendor's counting of axes, radians (metres where a joint slides). */
  readonly q: readonly number[];
  readonly speed?: string;
  readonly zone?: string;
}

/**
 * Move a step to another place, which is counted as if the step were not there. Its inverse moves it back.
 */
export interface MoveStep {
  readonly do: "move";
  readonly id: string;
  readonly to: Place;
}

/** The two things that come nearest to each other. */
export interface Near {
  readonly distance_m: number;
  /** What moves: robot/link, or the name of a carried part. */
  readonly a: string;
  readonly b: string;
  /** In the world, metres. */
  readonly point_a: readonly [number, number, number];
  readonly point_b: readonly [number, number, number];
  /** How near they may come. */
  readonly margin_m?: number;
}

/** The pair that is nearer than allowed, or else the nearest one. */
export interface NearestNow {
  readonly type: "nearest";
  readonly id: number;
  /** None: nothing that anything could be near to. */
  readonly near: Near | null;
  /** Whether it is nearer than allowed. */
  readonly touches: boolean;
}

/** What is nearest to arms that stand so? For a hand that drags them. */
export interface NearestRequest {
  readonly type: "nearest";
  readonly id: number;
  /** By robot/arm; the other arms stand at their start. Radians, metres where a joint slides. */
  readonly joints: Readonly<Record<string, readonly number[]>>;
}

/** How far beside the point, as in the rows of a pallet. */
export interface Offset {
  /** Along x, y, z, metres. */
  readonly by: readonly [number | string, number | string, number | string];
  /** Axes of the point's frame, or of the tool as it stands at the point. */
  readonly axes?: "frame" | "tool";
}

/** Everything about the robots that run; sent whenever any of it changes. */
export interface Operating {
  readonly type: "operating";
  readonly state: "failed" | "off" | "on" | "starting";
  /** Why it failed. */
  readonly message: string;
  readonly robots: readonly RobotStatus[];
  readonly run: RunStatus | null;
  /** Arms (robot/arm) in the order of the binary messages, with their number of joints. */
  readonly layout: readonly (readonly [string, number])[];
  /** Whether the cell was edited since the robots were started; a run restarts them. */
  readonly stale: boolean;
  /** Parts that are not where the cell says, since the present or last run. */
  readonly parts?: readonly PartPlace[];
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Where a part is that a run has moved. */
export interface PartPlace {
  readonly type: "part";
  readonly name: string;
  /** The arm (robot/arm) in whose hand it is; empty: it lies in the world. */
  readonly arm: string;
  /** In the flange of that arm, or in the world. */
  readonly pose: Pose;
}

/** What one edit has changed. `seq` counts by one: whoever misses one asks for the whole. */
export interface Patch {
  readonly seq: number;
  readonly author: string;
  /** The edit in a few words. */
  readonly title: string;
  readonly sections?: readonly ItemChange[];
  /** Fields of the cell itself (name, title, notes) that differ. */
  readonly own?: Readonly<Record<string, string>>;
  readonly programs?: readonly ProgramChange[];
  /** `title` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
  /**
   * Why newer edits of the author could not be undone or redone, the newest first; one before them was.
   */
  readonly skipped?: readonly string[];
  /** `skipped` by code. */
  readonly skipped_said?: readonly (SaidMessage | null)[];
}

/** The project has changed. */
export interface Patched {
  readonly type: "patch";
  readonly patch: Patch;
}

/** Come to rest on the path. */
export interface Pause {
  readonly type: "pause";
  readonly id: number;
}

/** Who has the project open, and what they look at. */
export interface People {
  readonly type: "people";
  readonly people: readonly Person[];
}

/** Somebody who has the project open. */
export interface Person {
  readonly type: "person";
  readonly client: string;
  readonly name: string;
  readonly color: string;
  readonly mode?: string;
  readonly selected?: readonly string[];
  readonly program?: string;
}

/** Open the tool, approach a part, close the tool at it and retreat with it. */
export interface PickPart {
  readonly do: "pick";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly part: string;
  readonly at?: string | InlinePoint | null;
  readonly offset?: Offset | null;
  readonly approach_m?: number;
  readonly retreat_m?: number;
  readonly along?: "+x" | "+y" | "+z" | "-x" | "-y" | "-z" | "tool";
  readonly speed?: string;
  readonly slowly?: string;
  readonly zone?: string;
  /** Between the fingers when they hold the part; another one is a failure. None: any. */
  readonly opening_m?: number | null;
}

/** A question to a client that is answered with `Pong` at once; comes several times a second. */
export interface Ping {
  readonly type: "ping";
  readonly number: number;
  /** The least round trip of the last seconds; None: not known yet. */
  readonly delay_ms: number | null;
  /** Whether the client's clock is known, so that its intents are obeyed. */
  readonly offset_known: boolean;
  /**
   * Intents of this connection that were not obeyed because they were too old, or came before its clock was known.
   */
  readonly dropped?: number;
  /**
   * What the server adds to a stamp of the client's clock, so that it is one of its own: at most the round trip too
   * little. Seconds; None: not known yet.
   */
  readonly offset_s?: number | null;
}

/**
 * Where a step stands: in which step (empty: the program itself), in which of its lists, at which index.
 */
export interface Place {
  readonly parent?: string;
  readonly slot?: "otherwise" | "steps";
  /** None: at the end. */
  readonly index?: number | null;
}

/** Approach with the part in the tool, put it down, open the tool and retreat. */
export interface PlacePart {
  readonly do: "place";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly part: string;
  readonly at?: string | InlinePoint | null;
  readonly offset?: Offset | null;
  readonly approach_m?: number;
  readonly retreat_m?: number;
  readonly along?: "+x" | "+y" | "+z" | "-x" | "-y" | "-z" | "tool";
  readonly speed?: string;
  readonly slowly?: string;
  readonly zone?: string;
}

/**
 * The answer to a `Ping`, at once: the server learns from it how the client's clock differs from its own.
 */
export interface Pong {
  readonly type: "pong";
  /** Of the ping. */
  readonly number: number;
  /** The client's monotonic clock when the ping was read, nanoseconds. */
  readonly stamp_ns: number;
}

/**
 * The person is there. Not answered; the page says it from its animation frame, at least four times a second.
 *
 * Who has control of a robot that moves, or has begun a run that is being checked or is running, says it: after 1.5 s
 * of silence the robots are stopped and control is free.
 */
export interface Present {
  readonly type: "present";
  /** The client's monotonic clock, nanoseconds. */
  readonly stamp_ns: number;
}

/** Press a button of a controller: one of `RobotStatus.buttons`, or of its window. */
export interface Press {
  readonly type: "press";
  readonly id: number;
  readonly robot: string;
  readonly button: string;
}

/** Look at what is at an address, and say what is wrong with it. Nothing is switched or moved. */
export interface Probe {
  readonly type: "probe";
  readonly id: number;
  readonly robot: string;
  readonly address: string;
}

/** One thing that was found out about an address. */
export interface ProbeFinding {
  readonly type: "finding";
  /** What it is; each maker has its own. */
  readonly code: string;
  /** False: the robot will not move before this is put right. */
  readonly fine: boolean;
  /** Whether connecting would not change it. */
  readonly hopeless?: boolean;
  /** What the controller said, or which address or port it is about. */
  readonly value: string;
  /** One sentence: what it is and what to do. */
  readonly message: string;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** What is at an address. */
export interface ProbeReply {
  readonly type: "probed";
  readonly id: number;
  readonly robot: string;
  readonly address: string;
  readonly findings: readonly ProbeFinding[];
}

/** What one arm does, step by step. */
export interface Program {
  /** The form of this file; older ones are brought up to date when they are read. */
  readonly format?: number;
  /** Also the name of its file, without the ending. */
  readonly name: string;
  readonly title?: string;
  readonly notes?: string;
  /** The robot of the cell that it is for. */
  readonly robot: string;
  /** The arm of that robot; empty: the first. */
  readonly arm?: string;
  /** The program's numbers and what they are at its start. */
  readonly variables?: Readonly<Record<string, number>>;
  readonly steps?: readonly Action[];
}

/** Several edits as one: all or none. Its inverse is the inverses in reverse order. */
export interface ProgramBatch {
  readonly do: "batch";
  readonly commands: readonly ProgramCommand[];
  readonly title?: string;
}

/** One program as it is now; without a program: it is gone. */
export interface ProgramChange {
  readonly name: string;
  readonly program: Program | null;
}

export type ProgramCommand = InsertStep | RemoveStep | MoveStep | DuplicateStep | EnableStep | EditStep | ReplaceStep | SetProgram | ProgramBatch;

export type ProjectEdit = EditCell | EditProgram | AddProgram | RemoveProgram | EditGroup;

/** Do again what this client has undone last. */
export interface Redo {
  readonly type: "redo";
  readonly id: number;
}

/** Something was not done, and why: one sentence for the person. */
export interface Refusal {
  readonly type: "refused";
  readonly id: number | null;
  readonly message: string;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Take the files as they are now; edits that were not saved are set aside. */
export interface Reload {
  readonly type: "reload";
  readonly id: number;
}

/** Take a thing out of the cell. Its inverse puts it back where it was. */
export interface Remove {
  readonly do: "remove";
  readonly name: string;
  /** Whether what refers to it goes too; otherwise it is refused while something does. */
  readonly with_dependents?: boolean;
}

/** Take a program out that no other one calls. */
export interface RemoveProgram {
  readonly edit: "remove program";
  readonly name: string;
}

/** Take a step out, with all that is inside it. Its inverse puts it back where it was. */
export interface RemoveStep {
  readonly do: "remove";
  readonly id: string;
}

/** Give a thing another name; whoever refers to it follows. Its inverse gives the old name back. */
export interface Rename {
  readonly do: "rename";
  readonly name: string;
  readonly new_name: string;
}

/** Move a thing to another place in its list. Its inverse moves it back. */
export interface Reorder {
  readonly do: "reorder";
  readonly name: string;
  readonly index: number;
}

/** Do steps again and again. */
export interface Repeat {
  readonly do: "repeat";
  readonly id?: string;
  readonly enabled?: boolean;
  /** How often; None: for ever. */
  readonly times?: number | null;
  readonly steps?: readonly Action[];
}

/** Put another thing with the same name in its place. Its inverse puts the old one back. */
export interface Replace {
  readonly do: "replace";
  readonly name: string;
  readonly item: unknown;
}

/** Put another action in a step's place; it keeps the id. Its inverse puts the old one back. */
export interface ReplaceStep {
  readonly do: "replace";
  readonly id: string;
  readonly action: unknown;
}

/** The answer of a check. */
export interface Report {
  readonly cell: string;
  readonly program: string;
  readonly clear: boolean;
  /** Id of the step that fails first, in the order in which they are made. */
  readonly first_failing: string | null;
  /** The program that it belongs to; empty: none fails. */
  readonly first_failing_in: string;
  /** The round in which it does, of a program that begins again when it ends. */
  readonly first_failing_round?: number;
  /** From start to end, of the first round; without the time that inputs are waited for. */
  readonly duration_s: number;
  /** Of one round, where the program goes round for ever. */
  readonly cycle_s: number | null;
  readonly length_m: number;
  /** The least distance of all; None: nothing that anything could be near to. */
  readonly clearance: Near | null;
  readonly start: StartReport;
  /** How long each arm moves or works its tool, by robot/arm. */
  readonly busy_s: Readonly<Record<string, number>>;
  readonly steps: readonly StepReport[];
  /** In how many ways conditions on inputs were answered. */
  readonly paths: number;
  readonly notes: readonly string[];
  /** What the check did not look at; a program is clear only where there is nothing. */
  readonly unchecked: readonly string[];
  /** Of the cell, the programs and the start: what this report is about. */
  readonly fingerprint: string;
  /** `notes` by their codes; None: it has none. Empty: none of them has one. */
  readonly notes_said?: readonly (SaidMessage | null)[];
  /** `unchecked` likewise. */
  readonly unchecked_said?: readonly (SaidMessage | null)[];
}

/** Count all parts as being back where the cell says, out of every hand. Nothing moves. */
export interface ResetParts {
  readonly type: "reset parts";
  readonly id: number;
}

/** Resume after a pause. */
export interface Resume {
  readonly type: "resume";
  readonly id: number;
}

/**
 * Run on where the last run was stopped: in the same way, at the same step, with the same variables. It is a new
 * request: checked from where the arms stand, with the way back if an arm was moved away meanwhile.
 */
export interface ResumeStopped {
  readonly type: "resume stopped";
  readonly id: number;
  /** As of `Run`. */
  readonly breakpoints?: readonly (readonly [string, string])[];
}

/** A patch is missing: send the whole. */
export interface Resync {
  readonly type: "resync";
}

/**
 * What a robot was sent and measured, tick by tick, to who asked by `WatchSamples`. Who reads too slowly misses
 * some; the numbers of the batches say how many.
 */
export interface RobotSamples {
  readonly type: "samples";
  readonly batch: SampleBatch;
}

/** How one robot is, as its controller says. */
export interface RobotStatus {
  readonly type: "robot";
  readonly name: string;
  readonly how: "kinematic" | "real" | "virtual";
  readonly address: string;
  /** The address of a virtual controller's own pendant; empty: there is none. */
  readonly panel: string;
  readonly connected: boolean;
  readonly ready: boolean;
  /** Why it would not take a command. */
  readonly reason: string;
  readonly mode: "booting" | "braked" | "freedrive" | "off" | "ready" | "unknown";
  readonly safety: "emergency stop" | "enabling device" | "fault" | "normal" | "protective stop" | "recovery" | "reduced" | "safeguard stop" | "unknown";
  readonly moving: boolean;
  /** The client that has control; empty: none. */
  readonly holder: string;
  /** Clients that ask for control. */
  readonly asking: readonly string[];
  readonly inputs: Readonly<Record<string, boolean>>;
  readonly outputs: Readonly<Record<string, boolean>>;
  /** By arm, metres. */
  readonly openings: Readonly<Record<string, number>>;
  /** How late the ticks of its loop are, 99 of 100. */
  readonly late_ms: number;
  /** Whether tool and elbow are held under 250 mm/s. */
  readonly reduced?: boolean;
  readonly operating?: "automatic" | "manual" | "manual full speed" | "unknown";
  readonly capabilities?: ControllerCapabilities;
  /** That its controller has for whoever operates it from here, what it needs next first. */
  readonly buttons?: readonly RobotButton[];
  /** That its controller has open; None: none. */
  readonly window?: RobotWindow | null;
  /** `reason` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** What a stop has done to one robot. */
export interface RobotStop {
  readonly type: "robot stop";
  readonly robot: string;
  /** Whether it has obeyed. False: it may still move. */
  readonly reached: boolean;
  /** How long after the stop reached it it was at rest; None: not seen at rest. */
  readonly rest_ms: number | null;
  /** How far its tool went meanwhile; None: not known. */
  readonly distance_mm: number | null;
  /** Why it was not reached or not seen at rest; else how it stopped. One sentence, or empty. */
  readonly reason: string;
  /** `reason` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Run a program from where the arms stand; it is checked from there first. */
export interface Run {
  readonly type: "run";
  readonly id: number;
  readonly program: string;
  /** None: streamed where all its robots take setpoints, else uploaded. */
  readonly mode?: "streamed" | "uploaded" | null;
  /** Whether the tool stays under 250 mm/s; None: on robots with an address. */
  readonly reduced?: boolean | null;
  readonly loop?: boolean;
  /**
   * The id of the step to begin with; parts are then where the last run has left them. Empty: the first.
   */
  readonly from_step?: string;
  /** Whether it pauses after one step. */
  readonly single?: boolean;
  /** Steps before which it pauses, by program and id; only where it is streamed. */
  readonly breakpoints?: readonly (readonly [string, string])[];
}

/** How the present or last run stands. */
export interface RunStatus {
  readonly type: "run status";
  readonly program: string;
  readonly mode: "streamed" | "uploaded";
  readonly status: "checking" | "done" | "failed" | "paused" | "ready" | "running" | "stopped";
  readonly message: string;
  readonly step: string | null;
  /** The client who began it. */
  readonly by: string;
  readonly speed: number;
  /** The program whose step it is: its own, or one that it calls; empty: its own. */
  readonly step_in?: string;
  /** Of the program whose step it is, as they are by now; at most a few times a second. */
  readonly variables?: Readonly<Record<string, number>>;
  /**
   * The id of the step at which it can be resumed, since it was stopped there; empty: it cannot.
   */
  readonly resumes_at?: string;
  /** The program of that step. */
  readonly resumes_in?: string;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Write the files now. */
export interface Save {
  readonly type: "save";
  readonly id: number;
  /** Also over what was changed outside. */
  readonly overwrite?: boolean;
}

/** Whether the files hold everything. */
export interface SaveState {
  readonly type: "saved";
  readonly state: "changed outside" | "failed" | "saved" | "unsaved";
  /** The number of the newest patch in the files. */
  readonly seq: number;
  readonly message?: string;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Have the run pause before these steps, by program and id, and before no others. */
export interface SetBreakpoints {
  readonly type: "breakpoints";
  readonly id: number;
  readonly breakpoints: readonly (readonly [string, string])[];
}

/** Give one field another value. Its inverse gives the old value back. */
export interface SetField {
  readonly do: "set";
  /** The thing; empty: the cell itself. */
  readonly name: string;
  /** The field, or a path into it: `color`, `shape/size/0`, `joints/arm`. */
  readonly field: string;
  /** Plain values. */
  readonly value: unknown;
}

/** Set a digital output; the arm does not stop for it. */
export interface SetOutput {
  readonly do: "set output";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly signal: string;
  readonly value?: boolean;
}

/** Give one field of the program itself another value. Its inverse gives the old value back. */
export interface SetProgram {
  readonly do: "set";
  /** `title`, `notes`, `robot`, `arm` or `variables`. */
  readonly field: string;
  readonly value: unknown;
}

/** Hold tool and elbow of a robot under 250 mm/s, or lift that; needs control of the robot. */
export interface SetReduced {
  readonly type: "reduced";
  readonly id: number;
  readonly robot: string;
  readonly reduced: boolean;
}

/** Set the override of all speeds of the run. */
export interface SetSpeed {
  readonly type: "speed";
  readonly id: number;
  readonly fraction: number;
}

/** Move the fingers of an arm's tool. */
export interface SetTool {
  readonly type: "tool";
  readonly id: number;
  readonly robot: string;
  readonly arm: string;
  readonly opening_m: number;
  /** Whether it closes; null: where fingers go to less than half of their travel. */
  readonly closes?: boolean | null;
}

/** Give a variable a number. */
export interface SetVariable {
  readonly do: "set";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly name: string;
  readonly value: number | string;
}

export type Shape = BoxShape | CylinderShape | SphereShape | MeshShape;

/** A digital input or output of the cell. */
export interface Signal {
  readonly name: string;
  readonly kind: "in" | "out";
  /** The robot whose controller has it; empty: not wired, it exists in the simulation only. */
  readonly robot?: string;
  /**
   * The port in that controller's own words: `standard_out_3`, `tool_in_0`, `doGrip`, `1004`; empty: not wired.
   */
  readonly port?: string;
  readonly initial?: boolean;
  readonly title?: string;
  /** The group that it is listed in; empty: none. */
  readonly group?: string;
}

/** A signal and the value that it is set to or must have. */
export interface SignalValue {
  readonly signal: string;
  readonly value?: boolean;
}

/** A program as it runs; arrays are lists of numbers, arms by robot/arm. SI and radians. */
export interface Simulated {
  readonly type: "recorded";
  readonly id: number;
  readonly program: string;
  readonly seq: number;
  readonly t: readonly number[];
  readonly q: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly openings: Readonly<Record<string, readonly number[]>>;
  readonly tools: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly speeds: Readonly<Record<string, readonly number[]>>;
  readonly distance_m: readonly number[];
  /** Position and quaternion w, x, y, z of each sample. */
  readonly parts: Readonly<Record<string, readonly (readonly number[])[]>>;
  /** program, step, start_s, end_s. */
  readonly steps: readonly unknown[];
  readonly status: "done" | "failed" | "paused" | "ready" | "running" | "stopped";
  readonly message: string;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** How does a program run, for the timeline? */
export interface SimulationRequest {
  readonly type: "recording";
  readonly id: number;
  readonly program: string;
  readonly dt_s?: number;
}

/** Make one step of the run, and pause. */
export interface SingleStep {
  readonly type: "step";
  readonly id: number;
}

/** All speeds from here on, in percent of what the moves say. */
export interface SpeedOverride {
  readonly do: "speed";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly percent: number;
}

/** A sphere; its origin is its middle. */
export interface SphereShape {
  readonly type: "sphere";
  readonly radius: number;
}

/** Where the arms begin, and whether that matters. */
export interface StartReport {
  /** By robot/arm, radians. */
  readonly q: Readonly<Record<string, readonly number[]>>;
  /** Whether the program does what was checked only from there. */
  readonly depends: boolean;
  readonly reason?: string;
  /** `reason` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** What was found for one step, over all its turns. */
export interface StepReport {
  readonly id: string;
  readonly program: string;
  /** Where it stands, as 3 or 3.1. */
  readonly number: string;
  readonly verdict: "clear" | "fails" | "not reached" | "remark";
  readonly visits?: number;
  /** All its turns together. */
  readonly duration_s?: number;
  /** Way of the tool's point, all its turns together. */
  readonly length_m?: number;
  readonly clearance?: Near | null;
  readonly findings?: readonly Finding[];
  readonly alternatives?: readonly Alternative[];
  /** Of a pick or place: the plain steps that it means. */
  readonly plain?: readonly Action[];
}

/** Stop every robot. Needs no control and no role. */
export interface Stop {
  readonly type: "stop";
  readonly id?: number;
  /**
   * Unique for each press of STOP, and the same over both connections of a client; empty: not known.
   */
  readonly press?: string;
}

/**
 * What a stop has done, to everybody; whoever asked for it is then also answered, refused where not all obeyed.
 */
export interface Stopped {
  readonly type: "stopped";
  /** The number of the question, for whoever asked. */
  readonly id: number;
  /** The client that requested it; empty: another source. */
  readonly by: string;
  /** All robots that run, start or are being ended; empty: there are none. */
  readonly robots: readonly RobotStop[];
  /** The program whose run had not begun yet, and now does not; empty: there was none. */
  readonly cancelled?: string;
}

/** Set a digital output of a robot. */
export interface SwitchOutput {
  readonly type: "output";
  readonly id: number;
  readonly robot: string;
  readonly signal: string;
  readonly value: boolean;
}

/** Have control of a robot. */
export interface TakeControl {
  readonly type: "take control";
  readonly id: number;
  readonly robot: string;
  /** From whoever has it; what moves is stopped first. */
  readonly take_over?: boolean;
}

/** Open or close the tool: a gripper's fingers, a torch's arc (closed: burning). */
export interface Tool {
  readonly do: "tool";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly state: "close" | "open";
}

/**
 * How a tool is opened or closed: outputs that are set, inputs that confirm it, and the time it takes.
 */
export interface ToolAction {
  /** Set in this order, at once. */
  readonly outputs?: readonly SignalValue[];
  /** All must have these values before the program continues; none: it continues after `time_s`. */
  readonly inputs?: readonly SignalValue[];
  /** How long the tool takes, seconds. */
  readonly time_s?: number;
  /** Inputs that do not confirm within this time stop the program with an error, seconds. */
  readonly timeout_s?: number;
}

/** A body of a tool. */
export interface ToolPart {
  readonly shape: Shape;
  /** In the flange; of a finger, when the tool is closed. */
  readonly pose?: Pose;
  readonly color?: string;
  /**
   * Of a finger: how far it slides in the flange until the tool is open; all zero: it does not move.
   */
  readonly opens_m?: readonly [number, number, number];
}

/** Take back this client's last edit. */
export interface Undo {
  readonly type: "undo";
  readonly id: number;
}

/** Do nothing for a while. */
export interface Wait {
  readonly do: "wait";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly seconds: number;
}

/** Stop and wait until a digital input has a value. */
export interface WaitInput {
  readonly do: "wait input";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly signal: string;
  readonly value?: boolean;
  /** After this time the program stops with an error; None: it waits for ever. */
  readonly timeout_s?: number | null;
}

/** Keep checking these programs, now and after every edit. */
export interface Watch {
  readonly type: "watch";
  readonly programs: readonly string[];
}

/** Have the samples of some robots sent from now on, of no others; empty: of none. */
export interface WatchSamples {
  readonly type: "watch samples";
  readonly id: number;
  readonly robots: readonly string[];
}

/** Repeat steps while a condition holds; it is evaluated before each round. */
export interface While {
  readonly do: "while";
  readonly id?: string;
  readonly enabled?: boolean;
  readonly condition: string;
  readonly steps?: readonly Action[];
}

/** The whole project, as of patch `seq`. */
export interface Whole {
  readonly type: "whole";
  /** Of the server: a page that speaks another one is to be loaded again. */
  readonly protocol: number;
  readonly seq: number;
  readonly project: string;
  /** The client's own id. */
  readonly you: string;
  readonly cell: Cell;
  readonly programs: Readonly<Record<string, Program>>;
  readonly people: readonly Person[];
  readonly history: HistoryNow;
  readonly saved: SaveState;
  /** What was done about edits of an earlier process; empty: nothing. */
  readonly recovered?: string;
  /** `recovered` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
  /**
   * Websocket of the stop service, which stops the robots of this project whatever the server is busy with; empty:
   * there is none.
   */
  readonly stop_url?: string;
}
