"""The old name of `openpendant.runtime`; goes with the next version."""

from openpendant.pool import WorkerDied, WorkPool
from openpendant.runtime import (
    Bus,
    BusError,
    CellLink,
    CellRuntime,
    Corridor,
    LeaseError,
    Moved,
    ProgramRun,
    RemoteRobot,
    RobotLoop,
    StopCounts,
    StopOutcome,
    StoppedError,
    corridor_of,
    is_warm,
    robots_of,
    warm_up,
)

__all__ = [
    "Bus",
    "BusError",
    "CellLink",
    "CellRuntime",
    "Corridor",
    "LeaseError",
    "Moved",
    "ProgramRun",
    "RemoteRobot",
    "RobotLoop",
    "StopCounts",
    "StopOutcome",
    "StoppedError",
    "WorkPool",
    "WorkerDied",
    "corridor_of",
    "is_warm",
    "robots_of",
    "warm_up",
]
