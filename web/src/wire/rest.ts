/** What the page asks once: the catalogue, a robot, its reach. */

import type { Problem, Reach, RobotInfo, RobotSummary } from "./generated";

/** The server did not give what was asked for. The message is for the person. */
export class RequestError extends Error {
  /** `unreachable`: no answer at all, so that trying again later makes sense. */
  constructor(
    message: string,
    readonly unreachable: boolean,
  ) {
    super(message);
    this.name = "RequestError";
  }
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { headers: { accept: "application/json" }, signal: signal ?? null });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new RequestError("The server does not answer.", true);
  }
  if (!response.ok) {
    const problem = (await response.json().catch(() => null)) as Partial<Problem> | null;
    const message = problem?.message ?? `The server answered with status ${response.status}.`;
    throw new RequestError(message, response.status >= 502);
  }
  return (await response.json()) as T;
}

const at = (name: string): string => `/api/robots/${encodeURIComponent(name)}`;

export const fetchRobots = (): Promise<readonly RobotSummary[]> => get("/api/robots");

export const fetchRobot = (name: string, signal?: AbortSignal): Promise<RobotInfo> => get(at(name), signal);

export const fetchReach = (name: string, arm: string, signal?: AbortSignal): Promise<Reach> =>
  get(`${at(name)}/reach?arm=${encodeURIComponent(arm)}`, signal);
