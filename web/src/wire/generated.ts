// The messages between server and page. Generated from src/openpendant/messages; do not edit.
// Regenerate with: python tools/generate_types.py

/** A chain of joints with a flange; q follows `joints`, the vendor's counting. */
export interface ArmInfo {
  readonly name: string;
  readonly title: string;
  readonly base: string;
  readonly flange: string;
  readonly joints: readonly JointInfo[];
  readonly postures: readonly PostureInfo[];
  readonly bases: readonly FrameInfo[];
  readonly frames: readonly FrameInfo[];
  readonly tool: ToolInfo | null;
  /** Name of the joint that serves as redundancy parameter (7-axis arms). */
  readonly redundancy: string | null;
  /** How inverse kinematics is done, as text. */
  readonly solver: string;
}

/** One arm in a batch; every tuple has one entry for each tick. */
export interface ArmSamples {
  /**
   * Measured joints, of the state of `SampleBatch.states_ns`; None: the controller has reported none yet.
   */
  readonly q: readonly (readonly number[] | null)[];
  /** The setpoint sent in that tick, as the driver has sent it; None: none was. */
  readonly sent: readonly (readonly number[] | null)[];
  /** Place of what it came from in `SampleBatch.origins`. */
  readonly origins: readonly number[];
}

/** One solution of inverse kinematics. */
export interface Branch {
  readonly q: readonly number[];
  readonly label: string;
  /** Distance of the joint nearest to its limit; pi where no joint has one. */
  readonly margin_rad: number;
}

/** What a controller can do. */
export interface ControllerCapabilities {
  /** Whether it takes setpoints: without them it cannot be jogged, and programs run uploaded. */
  readonly servo?: boolean;
  /** Whether it takes paths of joints for every tick. */
  readonly sampled?: boolean;
  /** Languages that it runs. */
  readonly dialects?: readonly string[];
  /** Its arms, by its own names; empty: not known. */
  readonly arms?: readonly string[];
  /** Between two of its states, seconds; 0: one comes at every tick. */
  readonly state_s?: number;
}

/** A cell that comes along, to begin with. */
export interface DemoInfo {
  readonly name: string;
  readonly title: string;
  readonly notes: string;
  readonly robots: readonly string[];
  readonly programs: readonly string[];
}

/** One file of a program in a vendor's language. */
export interface ExportedFile {
  readonly name: string;
  readonly dialect: string;
  readonly text: string;
}

/** The question cannot be answered: it is not well-formed, or names something unknown. */
export interface Failed {
  readonly type: "failed";
  readonly id: number | null;
  readonly message: string;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** The pose, and how well the arm stands there. */
export interface ForwardReply {
  readonly type: "forward";
  readonly id: number;
  readonly pose: Pose;
  readonly vendor: VendorPose;
  /** Label of this configuration in the vendor's words. */
  readonly configuration: string;
  readonly manipulability: number;
  readonly singularities: readonly Singularity[];
}

/** Where is `frame` in `base` with these joints? */
export interface ForwardRequest {
  readonly type: "forward";
  readonly id: number;
  readonly robot: string;
  readonly arm: string;
  readonly q: readonly number[];
  readonly frame: string;
  readonly base: string;
  /**
   * The point of a tool in `frame`, which the vendor's pose is of; null: that of `frame` itself.
   */
  readonly tcp?: Pose | null;
}

/** The work object that three points fix, and how well. */
export interface FrameFound {
  /** In the frame of the points. */
  readonly pose: Pose;
  readonly x_length_m: number;
  readonly y_length_m: number;
  /** How far it may be turned where every point is off by 1 mm. */
  readonly uncertainty_rad: number;
  /** How far each further point is above the plane. */
  readonly heights_m: readonly number[];
}

/** A frame in which poses can be given (as base) or asked for (as frame). */
export interface FrameInfo {
  /** What it is called in questions: `tool0` for either arm of a two-armed robot. */
  readonly name: string;
  /** What it is called in the URDF. */
  readonly link: string;
  readonly note: string;
}

/** Three touched points of a work object, all in the same frame. */
export interface FrameTouches {
  readonly origin: readonly [number, number, number];
  /** On its positive x axis. */
  readonly on_x: readonly [number, number, number];
  /** In its xy plane, on the side of positive y. */
  readonly in_xy: readonly [number, number, number];
  /** More points of the xy plane, to see how flat it is. */
  readonly further?: readonly (readonly [number, number, number])[];
}

/** The first message of a server that is asked for nothing yet; a project's is `Whole`. */
export interface Greeting {
  readonly type: "greeting";
  /** A page that speaks another one is to be loaded again. */
  readonly protocol: number;
}

/** Which version serves, and whether it is warm. */
export interface Health {
  readonly version: string;
  /**
   * False for the first seconds, while the kinematics are compiled; requests are served meanwhile.
   */
  readonly ready: boolean;
}

export type Intent = TwistIntent | PoseIntent | JointIntent;

/**
 * Every branch, nearest to the seed first; or why there is none, and the nearest pose within reach.
 */
export interface InverseReply {
  readonly type: "inverse";
  readonly id: number;
  /** Only the posture of the seed where the question was to follow. */
  readonly branches: readonly Branch[];
  /** Null: reached. Otherwise one sentence for the person. */
  readonly reason: string | null;
  /** Where not reached: the joints of the nearest pose that is. */
  readonly nearest: Branch | null;
  readonly nearest_pose: Pose | null;
  /** Time spent solving, in microseconds. */
  readonly solve_us: number;
  /** `reason` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Which joints bring `frame` to `pose` in `base`? Nearest to `seed` first. */
export interface InverseRequest {
  readonly type: "inverse";
  readonly id: number;
  readonly robot: string;
  readonly arm: string;
  readonly pose: Pose;
  readonly frame: string;
  readonly base: string;
  readonly seed: readonly number[];
  /** Also the ±360° variants inside the limits. */
  readonly variants?: boolean;
  /** For 7-axis arms: hold the redundancy joint at this value. */
  readonly redundancy?: number | null;
  /** For a hand that drags: stay in the posture of `seed`, never jump to another one. */
  readonly follow?: boolean;
}

/** A joint that a person can move. Radians or metres. */
export interface JointInfo {
  /** The name in the URDF. */
  readonly name: string;
  readonly title: string;
  readonly kind: "continuous" | "prismatic" | "revolute";
  /** Null: it turns without end. */
  readonly lower: number | null;
  readonly upper: number | null;
  readonly velocity: number | null;
}

/**
 * Jog joints, or bring them somewhere. One of `velocity` and `target` is given, in the vendor's counting.
 */
export interface JointIntent {
  readonly type: "joints";
  readonly source: string;
  readonly stamp_ns: number;
  /** Radians a second (metres a second where a joint slides). */
  readonly velocity?: readonly number[] | null;
  /** Radians (metres where a joint slides). */
  readonly target?: readonly number[] | null;
  readonly arm?: string;
  readonly clutch?: boolean;
  readonly dead_man?: boolean;
  /** Multiplies the velocity, or the speed on the way to the target. */
  readonly scale?: number;
}

export type KinematicsReply = ForwardReply | InverseReply | Failed;

export type KinematicsRequest = ForwardRequest | InverseRequest;

/** Who the server takes the asker for. */
export interface Me {
  readonly name: string;
  /** None: not paired yet. */
  readonly role: "engineer" | "operator" | "viewer" | null;
  /** Whether the asker is on the server's own machine, where no sign-in is needed. */
  readonly local: boolean;
  /** Whether the server also listens to the network. */
  readonly lan: boolean;
}

/** A mesh that was taken into a project. */
export interface MeshInfo {
  /** Its path in the project, as a shape names it. */
  readonly file: string;
  /** What its numbers are taken times, to be metres. */
  readonly scale: number;
  readonly size_m: readonly [number, number, number];
  readonly convex_parts: number;
  readonly warnings: readonly string[];
}

/** A code that is wanted, for somebody to come in with. */
export interface NewPairing {
  readonly role: "engineer" | "operator" | "viewer";
  /** Who it is for; empty: they say so themselves. */
  readonly name?: string;
}

/** A project to be made. */
export interface NewProject {
  readonly title: string;
  /** The demo cell to begin with; empty: an empty cell. */
  readonly demo?: string;
}

/** Somebody wants to come in. */
export interface NewSession {
  /** The six digits, or the secret of a link. */
  readonly code: string;
  /** The person or device, as others shall see it. */
  readonly name?: string;
  /**
   * For programs: answer with the token, instead of a cookie that scripts in a page cannot read.
   */
  readonly token?: boolean;
}

/** A code that lets somebody in, once. */
export interface Pairing {
  /** Six digits, to be typed. */
  readonly code: string;
  readonly role: "engineer" | "operator" | "viewer";
  /** How long it is good for, seconds from now. */
  readonly expires_s: number;
  /** Addresses that pair by being opened, the likeliest first. */
  readonly links: readonly string[];
  /** The first link as a picture (SVG). */
  readonly qr: string;
}

/** A planar mobile platform; its three joints are x, y and heading. */
export interface PlatformInfo {
  readonly size: readonly number[];
  readonly margin: number;
  readonly speed: number;
  readonly turn_rate: number;
  readonly joints: readonly JointInfo[];
  /** The frame of the mast camera; it looks along +x. */
  readonly camera: string;
}

/**
 * What a robot's controller calls its digital inputs, or its outputs. Where both lists are empty, ports have names
 * that are configured on the controller.
 */
export interface PortsInfo {
  /** All ports, where the maker fixes their names. */
  readonly names: readonly string[];
  /** First and last number, where ports are numbers. */
  readonly ranges: readonly (readonly [number, number])[];
  /** A name that a person may recognise; empty: any will do. */
  readonly example: string;
}

/** Position in metres and unit quaternion (w, x, y, z). */
export interface Pose {
  readonly xyz: readonly [number, number, number];
  readonly wxyz: readonly [number, number, number, number];
}

/** Bring the tool to a pose, or let it follow a hand. */
export interface PoseIntent {
  readonly type: "pose";
  readonly source: string;
  readonly stamp_ns: number;
  /** Of the hand in `frame`; or, where not `relative`, of the tool itself, in `world` or `base`. */
  readonly pose: Pose;
  /**
   * True: the tool makes the way that the hand has made since the clutch was closed; nothing jumps at that moment.
   */
  readonly relative?: boolean;
  readonly arm?: string;
  readonly frame?: "base" | "tool" | "view" | "world";
  readonly view?: readonly [number, number, number, number];
  readonly clutch?: boolean;
  readonly dead_man?: boolean;
  /**
   * Where `relative`: multiplies the translation of the hand; its rotation is followed one to one. Otherwise: the
   * share of the largest speed, up to 1, with which the tool goes to the pose.
   */
  readonly scale?: number;
  readonly locked?: readonly ("rx" | "ry" | "rz" | "x" | "y" | "z")[];
}

/** A named configuration of an arm. */
export interface PostureInfo {
  readonly name: string;
  readonly q: readonly number[];
  readonly note: string;
}

/** The body of every answer with a status of 400 and above. */
export interface Problem {
  /** One sentence for the person: which value, and what is allowed. */
  readonly message: string;
  /** `message` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** A project of the library. */
export interface ProjectInfo {
  readonly id: string;
  readonly title: string;
  readonly robots: readonly string[];
  readonly programs: readonly string[];
  /** When one of its files was last changed, seconds since 1970. */
  readonly changed_s: number;
  /** Why it cannot be opened. */
  readonly fault?: string | null;
  /** How many have it open. */
  readonly people?: number;
  /** `fault` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
  /** Robots of it that are connected, by name. */
  readonly running?: readonly string[];
  /** Whether any of them moves. */
  readonly moving?: boolean;
  /**
   * Where they are stopped, without who asks (`client`, `name`); empty: there is nothing to stop.
   */
  readonly stop_url?: string;
}

/**
 * The outline of what an arm's frame can reach, as a surface of revolution about an axis.
 *
 * `profile` is a closed polygon of (radius, height) in metres, in the frame `origin` of the base.
 */
export interface Reach {
  readonly robot: string;
  readonly arm: string;
  readonly origin: Pose;
  readonly profile: readonly (readonly [number, number])[];
  /** Range of the first axis in radians. */
  readonly turn: readonly [number, number];
}

/** A project that is in the trash now. */
export interface Removed {
  /** What brings it back. */
  readonly kept: string;
}

/** A button of a controller. */
export interface RobotButton {
  /** As `Press.button`. */
  readonly name: string;
  readonly title: string;
  /** Why it cannot be pressed now; empty: it can. */
  readonly why?: string;
  /** `title` by its code; None: it has none. */
  readonly said?: SaidMessage | null;
}

/** Everything the page needs to know of one robot, beside its URDF and meshes. */
export interface RobotInfo {
  readonly name: string;
  readonly title: string;
  readonly maker: string;
  readonly summary: string;
  /** Whose words are used for configurations, poses and ports. */
  readonly convention: string;
  readonly inputs: PortsInfo;
  readonly outputs: PortsInfo;
  readonly root: string;
  /** Where the URDF is, relative to the server's address. */
  readonly urdf: string;
  readonly arms: readonly ArmInfo[];
  readonly platform: PlatformInfo | null;
  readonly payload_kg: number | null;
  readonly reach_m: number | null;
  readonly notes: readonly string[];
  readonly sources: readonly SourceInfo[];
}

/** One row of the catalogue. */
export interface RobotSummary {
  readonly name: string;
  readonly title: string;
  readonly maker: string;
  readonly summary: string;
  readonly kind: "arm" | "mobile" | "two arms";
  readonly axes: number;
  /** True for robots that the user brought in from a URDF. */
  readonly imported: boolean;
}

/** A window that a controller has open on its own screen. */
export interface RobotWindow {
  /** Another one for each window. */
  readonly number: number;
  readonly title: string;
  readonly text: string;
  /** That answer it from here; none: it is answered at the robot. */
  readonly buttons?: readonly RobotButton[];
}

/** A sentence by its code: whoever has a text for the code needs no English. */
export interface SaidMessage {
  /** Dotted, as "control.held_by"; the English of each is in `openpendant.said`. */
  readonly code: string;
  /** The same in English, with the values in their places. */
  readonly text: string;
  /** By place in the text; numbers in the unit that the name says. */
  readonly values: Readonly<Record<string, string | number | number | boolean | SaidMessage>>;
}

/** Some consecutive ticks of one robot. */
export interface SampleBatch {
  readonly robot: string;
  /**
   * Of the first tick. Ticks are counted without requests too and across restarts of the process, so that a gap
   * between two batches says how many are missing.
   */
  readonly number: number;
  /** When each tick began, which is when its setpoints were sent. */
  readonly stamps_ns: readonly number[];
  /** When the controller's state was received that was the newest at that tick; 0: never. */
  readonly states_ns: readonly number[];
  /** By name of the arm. */
  readonly arms: Readonly<Record<string, ArmSamples>>;
  readonly origins: readonly SetpointOrigin[];
}

/** Somebody wants the samples of a robot, or no longer does; published, not answered. */
export interface SampleRequest {
  /** Unique for each stream that is read. */
  readonly reader: string;
  /** False: no longer. A reader that does not repeat its request for two seconds is dropped. */
  readonly wanted?: boolean;
}

/** Somebody who is paired. */
export interface SessionInfo {
  readonly id: string;
  readonly name: string;
  readonly role: "engineer" | "operator" | "viewer";
  /** When it was paired, seconds since 1970. */
  readonly since_s: number;
  /** When it was last here, to the minute. */
  readonly seen_s: number;
  /** Where it was last. */
  readonly address: string;
  readonly connected: boolean;
  readonly you: boolean;
}

/** What setpoints came from. */
export interface SetpointOrigin {
  /** What moved the arm; 'stopping': they bring it to rest. */
  readonly doing: "approach" | "nothing" | "path" | "servo" | "stopping" | "uploaded";
  /** Id of the job; empty: there was none yet. */
  readonly job: string;
  /** That they follow, stamped with when its sample was taken; None: they follow none. */
  readonly intent?: TwistIntent | PoseIntent | JointIntent | null;
}

/** Somebody has come in. */
export interface SignedIn {
  readonly name: string;
  readonly role: "engineer" | "operator" | "viewer";
  /** To be sent as `Authorization: Bearer …`; empty: there is a cookie. */
  readonly token?: string;
}

/** How far the arm is from one kind of singular posture. */
export interface Singularity {
  /** 'wrist', 'elbow' or 'shoulder'. */
  readonly name: string;
  /** Radians, or metres where `unit` says so; 0 is singular. */
  readonly distance: number;
  readonly unit: string;
  /** True where a person should be warned. */
  readonly near: boolean;
}

/** A box about its own frame. */
export interface SnapBox {
  readonly pose: Pose;
  readonly size: readonly [number, number, number];
}

/** Where does the tool go? The answer is its pose. */
export interface SnapRequest {
  /** `side`: where it is, turned to weld along the upper edge of a side of the box. */
  readonly to: "edge" | "face" | "side" | "touch";
  /** Where it is. */
  readonly tool: Pose;
  /** What it goes to; may be missing for a touch of something that is not a box. */
  readonly box?: SnapBox | null;
  readonly touch?: SnapTouch | null;
  /** How it stands on edges. */
  readonly weld?: "fillet" | "lap" | "plain" | "square" | "vertical";
  /** Which of the four sides round the box, anticlockwise as seen from above. */
  readonly side?: number;
}

/** A place on a body, and which way its surface looks there. */
export interface SnapTouch {
  readonly at: readonly [number, number, number];
  readonly normal: readonly [number, number, number];
}

/** Where numbers come from. */
export interface SourceInfo {
  readonly title: string;
  readonly covers: string;
  readonly licence: string;
}

/** The working point that fits the touches, and how well. */
export interface TcpFound {
  /** In the flange. */
  readonly xyz: readonly [number, number, number];
  /** The touched point, in the frame of the touches. */
  readonly point: readonly [number, number, number];
  /** How far each touch misses that point. */
  readonly residuals_m: readonly number[];
  readonly rms_m: number;
  /** How far the working point may be off where every touch is off by 1 mm. */
  readonly uncertainty_m: number;
}

/**
 * Where the flange was while the tool's tip touched one and the same point, in several orientations.
 */
export interface TcpTouches {
  /** Four or more, all in the same frame. */
  readonly flanges: readonly Pose[];
}

/** The tool an arm carries. */
export interface ToolInfo {
  readonly name: string;
  readonly title: string;
  /** The frame between its finger tips or at its electrode. */
  readonly tcp: string;
  /**
   * The joints that open it; a finger that follows another (mimic in the URDF) is not among them.
   */
  readonly fingers: readonly JointInfo[];
}

/** A kind of tool that can be made to measure. */
export interface ToolKind {
  readonly name: string;
  readonly title: string;
  readonly measures: readonly ToolMeasure[];
  /** Whether an output works it: closes it, switches it on. */
  readonly works?: boolean;
}

/** One measure of a kind of tool, metres. */
export interface ToolMeasure {
  readonly name: string;
  readonly default: number;
  readonly least: number;
  readonly most: number;
}

/** A tool of the library that is wanted. */
export interface ToolOrder {
  /** In the cell. */
  readonly name: string;
  /** Those that differ from their defaults, metres. */
  readonly measures?: Readonly<Record<string, number>>;
  /** The output of the cell that works it; empty: it is not wired. */
  readonly signal?: string;
}

/** Move the tool with this velocity; rotation is about the tool's own point. */
export interface TwistIntent {
  readonly type: "twist";
  /** Who wants it; the lease and the clutch belong to a source. */
  readonly source: string;
  /** When the sample was taken, on the monotonic clock of the robot's process. */
  readonly stamp_ns: number;
  /** Metres a second, in `frame`. */
  readonly linear: readonly [number, number, number];
  /** Radians a second about the axes of `frame`. */
  readonly angular?: readonly [number, number, number];
  /** Which arm; empty: the only or the first one. */
  readonly arm?: string;
  readonly frame?: "base" | "tool" | "view" | "world";
  /** For the frame `view`: its axes in the world, as a unit quaternion (w, x, y, z). */
  readonly view?: readonly [number, number, number, number];
  /** False: let go; the robot comes to rest. */
  readonly clutch?: boolean;
  /** Whether the dead-man switch is held. Where one is needed, the robot moves only while it is. */
  readonly dead_man?: boolean;
  /** Multiplies the velocity. */
  readonly scale?: number;
  /** Axes of `frame` along or about which nothing happens. */
  readonly locked?: readonly ("rx" | "ry" | "rz" | "x" | "y" | "z")[];
  /**
   * Where the arm cannot keep this direction it stops and says so, instead of sliding along what holds it.
   */
  readonly straight?: boolean;
}

/** The pose as the vendor's controller prints it. */
export interface VendorPose {
  /** For example 'V+ where', 'RAPID robtarget', 'UR p[…]'. */
  readonly title: string;
  readonly text: string;
}
