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
    compile_kernels,
    corridor_of,
    is_compiled,
    robots_of,
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
    "compile_kernels",
    "corridor_of",
    "is_compiled",
    "robots_of",
]
