"""Faults of wiring: ports that a robot does not have, ports used twice, tools on signals that cannot work them."""

from collections.abc import Collection, Iterator, Mapping

from openpendant.documents import DocumentFault
from openpendant.robots import PortRules, load, port_rules
from openpendant.robots import names as robot_names
from openpendant.said import say

from .cell import CellRobot, CellTool, Signal, SignalValue, ToolAction
from .value_faults import seconds_faults, unknown_in_cell

LONGEST_ACTION_S = 60.0


def rules_of_robot(robot: CellRobot) -> PortRules:
    """Return how the ports of a robot of a cell are called; any name is valid where its model is not known."""
    return load(robot.model).convention.ports if robot.model in robot_names() else port_rules("plain")


def signal_faults(item: Signal, robots: Mapping[str, CellRobot]) -> Iterator[DocumentFault]:
    """Yield each fault in the wiring of one signal."""
    if not item.robot:
        if item.port:
            yield DocumentFault("/robot", say("fault.port_robot", port=item.port))
        return
    if item.robot not in robots:
        yield DocumentFault("/robot", unknown_in_cell("robot", item.robot, robots))
    elif item.port and (why := rules_of_robot(robots[item.robot]).fault(item.kind, item.port)):
        yield DocumentFault("/port", why)


def find_port_clash(
    signals: Collection[Signal], robots: Mapping[str, CellRobot], only: Signal | None = None
) -> tuple[int, str] | None:
    """Return the place and message of the first signal whose port another one has already; None: each has its own.

    Args:
        signals: All of the cell.
        robots: By name.
        only: Where given, clashes with this one only.
    """
    rules = {name: rules_of_robot(robot) for name, robot in robots.items()}
    owners: dict[tuple[str, str], str] = {}
    for index, signal in enumerate(signals):
        if not signal.port or signal.robot not in rules:
            continue
        key = signal.robot, rules[signal.robot].key(signal.port)
        owner = owners.setdefault(key, signal.name)
        if owner != signal.name and (only is None or only.name in (owner, signal.name)):
            return index, say("wiring.port_taken", port=signal.port, robot=signal.robot, signal=owner)
    return None


def tool_action_faults(item: CellTool, signals: Mapping[str, Signal]) -> Iterator[DocumentFault]:
    """Yield each fault in how a tool is opened and closed."""
    for name, action in (("open", item.open), ("close", item.close)):
        if action is not None:
            for fault in _action_faults(action, signals):
                yield fault.under(f"/{name}")
    used = {signals[one.signal].robot for one in _values_of(item) if one.signal in signals}
    if len(used - {""}) > 1:
        yield DocumentFault("/close", say("fault.tool_robots", robots=", ".join(sorted(used))))


def _action_faults(action: ToolAction, signals: Mapping[str, Signal]) -> Iterator[DocumentFault]:
    if not action.outputs:
        yield DocumentFault("/outputs", say("fault.no_outputs"))
    for kind, values in (("out", action.outputs), ("in", action.inputs)):
        word = "output" if kind == "out" else "input"
        known = [signal.name for signal in signals.values() if signal.kind == kind]
        seen: set[str] = set()
        for index, one in enumerate(values):
            pointer = f"/{word}s/{index}/signal"
            if one.signal not in known:
                yield DocumentFault(pointer, unknown_in_cell(f"{word}", one.signal, known))
            if one.signal in seen:
                yield DocumentFault(pointer, say("fault.named_twice", name=one.signal))
            seen.add(one.signal)
    for field, value in (("time_s", action.time_s), ("timeout_s", action.timeout_s)):
        yield from seconds_faults(value, f"/{field}", LONGEST_ACTION_S)
    if action.inputs and action.timeout_s <= 0.0:
        yield DocumentFault("/timeout_s", say("fault.no_time"))


def _values_of(item: CellTool) -> Iterator[SignalValue]:
    for action in (item.open, item.close):
        if action is not None:
            yield from (*action.outputs, *action.inputs)
