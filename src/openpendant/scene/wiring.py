"""Faults of wiring: ports that a robot does not have, ports used twice, tools on signals that cannot work them."""

from collections.abc import Collection, Iterator, Mapping

from openpendant.robots import load
from openpendant.robots import names as robot_names
from openpendant.said import say

from .cell import CellRobot, CellTool, Signal, SignalValue, ToolAction
from .ports import PortRules, port_rules

__all__ = ["find_port_clash", "rules_of_robot", "signal_faults", "tool_action_faults"]

LONGEST_ACTION_S = 60.0


def rules_of_robot(robot: CellRobot) -> PortRules:
    """Return how the ports of a robot of a cell are called; any name is valid where its model is not known."""
    return port_rules(load(robot.model).facts.convention if robot.model in robot_names() else "plain")


def signal_faults(item: Signal, robots: Mapping[str, CellRobot]) -> Iterator[tuple[str, str]]:
    """Yield pointer and message of each fault in the wiring of one signal."""
    if not item.robot:
        if item.port:
            yield "/robot", f"port {item.port!r} of which robot? Name the robot, or clear the port"
        return
    if item.robot not in robots:
        known = ", ".join(sorted(robots)[:12]) or "none"
        yield "/robot", f"no robot named {item.robot!r} in this cell. Known: {known}."
    elif item.port and (why := rules_of_robot(robots[item.robot]).fault(item.kind, item.port)):
        yield "/port", why


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


def tool_action_faults(item: CellTool, signals: Mapping[str, Signal]) -> Iterator[tuple[str, str]]:
    """Yield pointer and message of each fault in how a tool is opened and closed."""
    for name, action in (("open", item.open), ("close", item.close)):
        if action is not None:
            for pointer, message in _action_faults(action, signals):
                yield f"/{name}{pointer}", message
    used = {signals[one.signal].robot for one in _values_of(item) if one.signal in signals}
    if len(used - {""}) > 1:
        yield "/close", f"its signals are on several robots ({', '.join(sorted(used))}); a tool is worked by one"


def _action_faults(action: ToolAction, signals: Mapping[str, Signal]) -> Iterator[tuple[str, str]]:
    if not action.outputs:
        yield "/outputs", "names no output; say which are set, or leave the action out"
    for kind, values in (("out", action.outputs), ("in", action.inputs)):
        word = "output" if kind == "out" else "input"
        seen: set[str] = set()
        for index, one in enumerate(values):
            pointer = f"/{word}s/{index}/signal"
            known = [signal.name for signal in signals.values() if signal.kind == kind]
            if one.signal not in known:
                yield pointer, f"no {word} named {one.signal!r} in this cell. Known: {', '.join(known[:12]) or 'none'}."
            if one.signal in seen:
                yield pointer, f"{one.signal!r} is named twice"
            seen.add(one.signal)
    for field, value in (("time_s", action.time_s), ("timeout_s", action.timeout_s)):
        if not 0.0 <= value <= LONGEST_ACTION_S:
            yield f"/{field}", f"{value:g} s; allowed is 0 to {LONGEST_ACTION_S:g}"
    if action.inputs and action.timeout_s <= 0.0:
        yield "/timeout_s", "0 s; inputs that confirm need time to do so"


def _values_of(item: CellTool) -> Iterator[SignalValue]:
    for action in (item.open, item.close):
        if action is not None:
            yield from (*action.outputs, *action.inputs)
