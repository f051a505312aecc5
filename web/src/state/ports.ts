/** Ports of controllers: which there are, by a robot's convention. The server knows the same rules, and validates. */

import type { RobotInfo } from "../wire/generated";
import type { Cell, Signal } from "../wire/studio";
import type { TextKey } from "./texts";

type Convention = RobotInfo["convention"];

const UR_GROUPS = [
  ["standard", 8],
  ["configurable", 8],
  ["tool", 2],
] as const;

/** All ports of one kind where the maker fixes their names; empty: they are typed. */
export function fixedPorts(convention: Convention, kind: Signal["kind"]): readonly string[] {
  if (convention !== "ur") return [];
  return UR_GROUPS.flatMap(([group, count]) =>
    Array.from({ length: count }, (_, i) => `${group}_${kind}_${i}`),
  );
}

/** What a typed port looks like, for the person. */
export function portHint(convention: Convention, kind: Signal["kind"]): TextKey {
  if (convention === "vplus") return kind === "in" ? "wiring.port.vplus.in" : "wiring.port.vplus.out";
  if (convention === "abb") return kind === "in" ? "wiring.port.abb.in" : "wiring.port.abb.out";
  return "wiring.port.plain";
}

/** By port: the other signal that has it. */
export function takenPorts(cell: Cell, robot: string, signal: string): ReadonlyMap<string, string> {
  const others = (cell.signals ?? []).filter(
    (one) => one.name !== signal && one.robot === robot && (one.port ?? "") !== "",
  );
  return new Map(others.map(({ name, port = "" }) => [port, name]));
}

/** "ur3e · standard_out_0"; empty: not wired. */
export function wireOf({ robot = "", port = "" }: Signal): string {
  return port === "" ? "" : `${robot} · ${port}`;
}
