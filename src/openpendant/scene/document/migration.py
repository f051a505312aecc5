"""Migrations of `cell.json`: from each older format to the next."""

from collections.abc import Callable
from typing import Any, cast

from openpendant.robots import LONGEST_PORT, PortKind, PortRules, load
from openpendant.robots import names as robot_names

Plain = dict[str, Any]


def write_out_wiring(values: Plain) -> Plain:
    """Return a cell of format 1 as format 2.

    In format 1 the place of a signal in the list was its wire. The same ports are written out here: of the first robot
    whose maker has named ports, since a signal has one robot now.
    """
    signals, robots = values.get("signals"), values.get("robots")
    if not isinstance(signals, list) or not isinstance(robots, list):
        return values
    owner = _owner(cast(list[Any], robots))
    if owner is None:
        return values
    robot, rules = owner
    places = {"in": 0, "out": 0}
    taken: set[str] = set()
    wired: list[Any] = []
    for signal in cast(list[Any], signals):
        kind = cast(Plain, signal).get("kind") if isinstance(signal, dict) else None
        if kind not in places:
            wired.append(signal)
            continue
        item = cast(Plain, signal)
        port = _free(rules, kind, rules.at(kind, places[kind], str(item.get("name", ""))), taken)
        places[kind] += 1
        wired.append({**item, "robot": robot, "port": port} if port else item)
    return {**values, "signals": wired}


def _owner(robots: list[Any]) -> tuple[str, PortRules] | None:
    """Return the robot that the signals of an old cell are wired to."""
    for robot in robots:
        item = cast(Plain, robot) if isinstance(robot, dict) else {}
        name, model = item.get("name"), item.get("model")
        if isinstance(name, str) and isinstance(model, str) and model in robot_names():
            known = load(model)
            if known.facts.convention != "plain":
                return name, known.convention.ports
    return None


def _free(rules: PortRules, kind: PortKind, port: str, taken: set[str]) -> str:
    """Return a port that no other signal has, numbered as exported names were."""
    name, number = port, 2
    while name and (rules.key(name) in taken or not rules.valid(kind, name)):
        ending = f"_{number}"
        name = port[: LONGEST_PORT - len(ending)] + ending
        number += 1
    taken.add(rules.key(name))
    return name


MIGRATIONS: dict[int, Callable[[Plain], Plain]] = {1: write_out_wiring}
"""For each older format, what turns the plain values of a file into those of the next format."""
