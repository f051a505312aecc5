/** Tools on arms: which arm takes a new one, commands that mount, and the output that works it. Pure. */

import type { RobotInfo } from "../../wire/generated";
import type { Cell, CellObject, CellRobot, CellTool, Command, Signal } from "../../wire/studio";
import { freeName } from "../program/steps-new";
import { IDENTITY } from "../shared/cell-geometry";
import { portsOf, takenPorts } from "./ports";
import { namesOf } from "./tree";

/** An arm of a robot of the cell. */
export interface Mount {
  readonly robot: string;
  readonly arm: string;
}

type InfoOf = (model: string) => RobotInfo | null;

/** The arms that can carry a tool: any arm, but a body of the catalogue fits only its own. */
export function armsFor(cell: Cell, tool: CellTool, infoOf: InfoOf): readonly Mount[] {
  const body = tool.catalogue ?? "";
  return (cell.robots ?? []).flatMap(({ name, model }) =>
    (infoOf(model)?.arms ?? [])
      .filter((arm) => body === "" || arm.tool?.name === body)
      .map((arm) => ({ robot: name, arm: arm.name })),
  );
}

/** The arm that a new tool is mounted on: the only one that there is. */
export function onlyArm(cell: Cell, tool: CellTool, infoOf: InfoOf): Mount | null {
  const arms = armsFor(cell, tool, infoOf);
  const [only] = arms;
  return arms.length === 1 && (cell.robots ?? []).length === 1 && only !== undefined ? only : null;
}

/** Who carries a tool. */
export function carrierOf(cell: Cell, tool: string): Mount | null {
  for (const { name, tools = {} } of cell.robots ?? [])
    for (const [arm, carried] of Object.entries(tools)) if (carried === tool) return { robot: name, arm };
  return null;
}

/** Put a tool on an arm, and off the one that has it. */
export function mountCommands(cell: Cell, tool: string, at: Mount): readonly Command[] {
  return (cell.robots ?? []).flatMap((robot): readonly Command[] => {
    const old = robot.tools ?? {};
    const others = Object.entries(old).map(([arm, carried]): [string, string | null] => [
      arm,
      carried === tool ? null : carried,
    ]);
    const tools = Object.fromEntries(robot.name === at.robot ? [...others, [at.arm, tool] as const] : others);
    const item: CellRobot = { ...robot, tools };
    return JSON.stringify(tools) === JSON.stringify(old) ? [] : [{ do: "replace", name: robot.name, item }];
  });
}

/** The output that works a new tool, wired to the first free port where the maker of its robot fixes their names. */
export function outputFor(cell: Cell, wanted: string, mount: Mount | null, infoOf: InfoOf): Signal {
  const name = freeName(wanted, namesOf(cell));
  const robot = (cell.robots ?? []).find((one) => one.name === mount?.robot);
  const ports = robot === undefined ? null : portsOf(infoOf(robot.model), "out");
  const taken = robot === undefined ? new Map<string, string>() : takenPorts(cell, robot.name, name);
  const port = ports?.names.find((one) => !taken.has(one));
  return port === undefined || robot === undefined
    ? { name, kind: "out" }
    : { name, kind: "out", robot: robot.name, port };
}

/** A part or obstacle as a tool: its lowest end at the flange, its TCP at the other. */
export function toolFrom({ name, shape, color }: CellObject): CellTool {
  const length =
    shape.type === "box"
      ? shape.size[2]
      : shape.type === "cylinder"
        ? shape.length
        : shape.type === "sphere"
          ? 2 * shape.radius
          : 0;
  const at = (z: number) => ({ ...IDENTITY, xyz: [0, 0, z] as const });
  return {
    name,
    // A mesh stands as it was drawn: its own origin is at the flange.
    tcp: at(shape.type === "mesh" ? 0.1 : length),
    parts: [{ shape, pose: at(length / 2), ...(color === undefined ? {} : { color }) }],
    mass_kg: 0.3,
    com_m: [0, 0, length / 2],
  };
}
