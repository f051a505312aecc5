/** Ports of controllers, as the robot's own maker calls them. The server knows the same rules, and validates. */

import type { PortsInfo, RobotInfo } from "../../wire/generated";
import type { Cell, Signal } from "../../wire/studio";
import { t } from "../texts";

/** The ports of one kind; null: nothing is known of the robot. */
export function portsOf(info: RobotInfo | null | undefined, kind: Signal["kind"]): PortsInfo | null {
  if (info == null) return null;
  return kind === "in" ? info.inputs : info.outputs;
}

/** What a typed port looks like, for the person. */
export function portHint(ports: PortsInfo | null): string {
  if (ports !== null && ports.ranges.length > 0) {
    const ranges = ports.ranges.map(([first, last]) => t("wiring.port.range", { first, last })).join(", ");
    return t("wiring.port.numbers", { ranges });
  }
  const example = ports?.example ?? "";
  return example === "" ? t("wiring.port.plain") : t("wiring.port.example", { example });
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
