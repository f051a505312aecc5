"""RobotSettings: the settings with which a robot's process starts."""

import msgspec

from openpendant.stop_service import LineAddress


class RobotSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of JSON on the standard input of the process."""

    cell: str
    """The name of the cell, as it is in keys of the bus."""
    document: str
    """The cell, as the content of `cell.json`."""
    folder: str | None = None
    """Of the cell, where mesh files are looked for."""
    robot: str
    endpoint: str
    """Of the bus."""
    address: str | None = None
    """Of the controller; None: a kinematic robot in the process itself."""
    state_hz: float = 100.0
    """How often reports are published."""
    tool_speed_m_s: float | None = None
    """What the gate lets the tool's point do at most; None: what the robot can."""
    reduced: bool = False
    """Whether tool and elbow keep to 250 mm/s until the holder of the lease lifts that."""
    dead_man: bool = False
    """Whether everybody who moves it by hand must hold a dead-man switch."""
    stop_line: LineAddress | None = None
    """Of the stop service; None: there is none."""
    collisions: bool = True
    """Whether the gate looks at what is near."""
    start: dict[str, tuple[float, ...]] = {}
    """For a kinematic robot: joints by arm where it starts; arms that are not named start as the cell says."""
    stops: int = 0
    """Where the robot's count of Halts begins: above that of every process of it before."""
