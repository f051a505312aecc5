/** What the page asks once: robots and their reach, projects and what is done with them. */

import type {
  SnapRequest,
  DemoInfo,
  ExportedFile,
  FrameFound,
  FrameTouches,
  Me,
  MeshInfo,
  NewPairing,
  NewSession,
  Pairing,
  Pose,
  Problem,
  ProjectInfo,
  Reach,
  Removed,
  RobotInfo,
  RobotSummary,
  SaidMessage,
  SessionInfo,
  SignedIn,
  TcpFound,
  TcpTouches,
  ToolKind,
  ToolOrder,
} from "./generated";
import type { CellTool } from "./studio";

/** The server did not give what was asked for. The message is for the person; empty: the server gave none. */
export class RequestError extends Error {
  /** `unreachable`: no answer at all, so that trying again later makes sense. */
  constructor(
    message: string,
    readonly unreachable: boolean,
    /** Of the answer; 0: there was none. */
    readonly status = 0,
    /** The message by its code; null: it has none. */
    readonly said: SaidMessage | null = null,
  ) {
    super(message);
    this.name = "RequestError";
  }
}

interface Ask extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask<T>(path: string, init: Ask = {}): Promise<T> {
  const { signal } = init;
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { accept: "application/json", ...init.headers } });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new RequestError("", true);
  }
  if (!response.ok) {
    const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
    throw new RequestError(
      problem?.message ?? "",
      response.status >= 502,
      response.status,
      problem?.said ?? null,
    );
  }
  return (await response.json()) as T;
}

const get = <T>(path: string, signal?: AbortSignal): Promise<T> => ask(path, { signal: signal ?? null });

const postJson = <T>(path: string, body: unknown): Promise<T> =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const postFile = <T>(path: string, file: Blob): Promise<T> =>
  ask(path, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file });

const at = (name: string): string => `/api/robots/${encodeURIComponent(name)}`;

/** The library of tools, and their measures. */
export const fetchTools = (): Promise<readonly ToolKind[]> => get("/api/tools");

/** A tool of the library for a cell. */
export const makeTool = (kind: string, order: ToolOrder): Promise<CellTool> =>
  postJson(`/api/tools/${encodeURIComponent(kind)}`, order);

export const fetchRobots = (): Promise<readonly RobotSummary[]> => get("/api/robots");

/** Where an imported robot has that name already: refuse (status 409), replace it, or keep both. */
export type Taken = "refuse" | "replace" | "keep";

/** Make a URDF, or a zip with a URDF and its meshes, a robot of the catalogue. */
export const importRobot = (file: File, taken: Taken): Promise<RobotSummary> =>
  postFile(`/api/robots?file=${encodeURIComponent(file.name)}&taken=${taken}`, file);

/** Take an imported robot out of the catalogue; refused while a project has it. */
export const removeRobot = (name: string): Promise<RobotSummary> => ask(at(name), { method: "DELETE" });

export const fetchRobot = (name: string, signal?: AbortSignal): Promise<RobotInfo> => get(at(name), signal);

/** A project to look at one robot in; `again`: the id that it had before, or "". */
export const beginRobotCell = (name: string, again: string): Promise<ProjectInfo> =>
  ask(`${at(name)}/cells?again=${encodeURIComponent(again)}`, { method: "POST" });

export const fetchReach = (name: string, arm: string, signal?: AbortSignal): Promise<Reach> =>
  get(`${at(name)}/reach?arm=${encodeURIComponent(arm)}`, signal);

const inProject = (id: string): string => `/api/projects/${encodeURIComponent(id)}`;

export const fetchDemos = (): Promise<readonly DemoInfo[]> => get("/api/demos");

export const fetchProjects = (): Promise<readonly ProjectInfo[]> => get("/api/projects");

export const fetchProject = (id: string): Promise<ProjectInfo> => get(inProject(id));

/** Make a project, empty or from a demo cell. */
export const createProject = (title: string, demo = ""): Promise<ProjectInfo> =>
  postJson("/api/projects", { title, demo });

export const duplicateProject = (id: string): Promise<ProjectInfo> =>
  ask(`${inProject(id)}/copies`, { method: "POST" });

export const removeProject = (id: string): Promise<Removed> => ask(inProject(id), { method: "DELETE" });

export const bringBackProject = (kept: string): Promise<ProjectInfo> =>
  ask(`/api/trash/${encodeURIComponent(kept)}`, { method: "POST" });

/** Add a project from a zip file. */
export const importProject = (file: Blob): Promise<ProjectInfo> => postFile("/api/archives", file);

/** Where a project can be had as a zip file. */
export const archiveAddress = (id: string): string => `${inProject(id)}/archive.zip`;

/** Where a file of a project's folder is, as a mesh shape names it. */
export const meshAddress = (id: string, file: string): string =>
  `${inProject(id)}/meshes/${encodeURIComponent(file.replace(/^meshes\//, ""))}`;

/** Take a mesh file into a project; `scale` makes its numbers metres. */
export const addMesh = (id: string, file: File, scale: number): Promise<MeshInfo> =>
  postFile(`${inProject(id)}/meshes?file=${encodeURIComponent(file.name)}&scale=${scale}`, file);

/** The forms that the robot of a program has a use for, its own language first. */
export const fetchExportForms = (id: string, program: string): Promise<readonly string[]> =>
  get(`${inProject(id)}/programs/${encodeURIComponent(program)}/exports`);

/** A program in a vendor's language. */
export const exportProgram = (id: string, program: string, form: string): Promise<readonly ExportedFile[]> =>
  get(`${inProject(id)}/programs/${encodeURIComponent(program)}/exports/${encodeURIComponent(form)}`);

/** The working point of a tool whose tip has touched one point in several orientations. */
export const findTool = (touches: TcpTouches): Promise<TcpFound> =>
  postJson("/api/calibrations/tool", touches);

/** The work object that three touched points fix. */
export const findFrame = (touches: FrameTouches): Promise<FrameFound> =>
  postJson("/api/calibrations/frame", touches);

/** Where a tool goes that is sent to a surface or an edge. */
export const findSnap = (asked: SnapRequest): Promise<Pose> => postJson("/api/snaps", asked);

/** Who the server takes this page for. */
export const fetchMe = (): Promise<Me> => get("/api/me");

/** Come in with a code, or with the secret of a link. */
export const signIn = (asked: NewSession): Promise<SignedIn> => postJson("/api/sessions", asked);

export const signOut = (): Promise<Me> => ask("/api/me", { method: "DELETE" });

/** A code that lets somebody else in, once. */
export const offerPairing = (asked: NewPairing): Promise<Pairing> => postJson("/api/pairings", asked);

export const fetchSessions = (): Promise<readonly SessionInfo[]> => get("/api/sessions");

/** Let somebody in no more. */
export const revokeSession = (id: string): Promise<Me> =>
  ask(`/api/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
