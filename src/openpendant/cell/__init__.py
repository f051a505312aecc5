"""Cells that run: one process for each robot, the bus between them, who has control, programs in both ways.

    with CellRuntime(cell) as runtime:
        runtime.robot("ur3e").move_joints([0.0, -1.57, 0.0, -1.57, 0.0, 0.0])

In: a cell document and where its robots are. Out: states, events, moves and runs that end with a reason. Radians,
metres, seconds; everything stays on this machine.
"""

from .building import has_virtual
from .bus import Bus, BusError
from .corridor import Corridor, corridor_of
from .link import CellLink, LeaseError
from .loop import RobotLoop
from .pool import WorkerDied, WorkPool
from .remote import Moved, RemoteRobot
from .runs import ProgramRun, robots_of
from .runtime import CellRuntime
from .stops import StopCounts, StopOutcome, StoppedError
from .warm import is_warm, warm_up

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
    "has_virtual",
    "is_warm",
    "robots_of",
    "warm_up",
]
