"""Cells that run: one process for each robot, the bus between them, who has control, programs in both ways.

    with CellRuntime(cell) as runtime:
        runtime.robot("ur3e").move_joints([0.0, -1.57, 0.0, -1.57, 0.0, 0.0])

In: a cell document and where its robots are. Out: states, events, moves and runs that end with a reason. Radians,
metres, seconds; everything stays on this machine.
"""

from .bus import Bus, BusError
from .lease import Granted, LeaseBook, NotGranted
from .pool import WorkerDied, WorkPool

__all__ = [
    "Bus",
    "BusError",
    "Granted",
    "LeaseBook",
    "NotGranted",
    "WorkPool",
    "WorkerDied",
]
