"""Signals and tools of a robot in a cell, as options of its virtual controller."""

from collections.abc import Mapping
from pathlib import Path

from openpendant.programs import robot_signals
from openpendant.programs.export import carried_tooldata
from openpendant.robots import load
from openpendant.scene import Cell, Scene

KINDS = {"in": "DI", "out": "DO"}


def configuration_of(cell: Cell, robot: str, folder: Path | None) -> Mapping[str, str]:
    """Return the options `signals` and `tools` for a robot of a cell: the wired signals, and what its arms carry.

    Args:
        cell: Without fault.
        robot: Its name in the cell.
        folder: Of the cell, where mesh files are looked for.
    """
    from openpendant.virtual.abb import units_of

    wired = robot_signals(cell, robot, wired=True)
    signals = ",".join(f"{one.port}:{KINDS[one.kind]}={int(one.initial)}" for one in wired)
    model = load(next(one.model for one in cell.robots if one.name == robot))
    units = units_of(model)
    scene = Scene(cell, folder)
    tools: list[str] = []
    for arm in scene.arms.values():
        carried = carried_tooldata(arm) if arm.robot == robot else None
        if carried is not None:
            tools.append(f"{units[arm.arm]}/{carried[0]}={carried[1]}")
    return {"signals": signals, "tools": ";".join(tools)}
