"""Cells that run: one process for each robot, the bus between them, who has control, programs in both ways.

    with CellRuntime(cell) as runtime:
        runtime.robot("ur3e").move_joints([0.0, -1.57, 0.0, -1.57, 0.0, 0.0])

In: a cell document and where its robots are. Out: states, events, moves and runs that end with a reason. Radians,
metres, seconds; everything stays on this machine.
"""

from openpendant.messages.sample_buffer import ArmSample, SampleChunk

from .bus import Bus, BusError
from .cell_runtime import KINEMATIC, CellRuntime
from .compile_ahead import compile_kernels, is_compiled
from .corridor import Corridor, WatchedArm, corridor_of
from .interrupted_run import InterruptedRun
from .link import CellLink, LeaseError
from .loop import RobotLoop
from .program_run import ProgramRun, error_text, robots_of
from .remote_robot import Moved, RemoteRobot
from .run_life import RunLife, RunState
from .run_options import RunOptions
from .sample_stream import SampleStream
from .stops import StopCounts, StopOutcome, StoppedError

__all__ = [
    "KINEMATIC",
    "ArmSample",
    "Bus",
    "BusError",
    "CellLink",
    "CellRuntime",
    "Corridor",
    "InterruptedRun",
    "LeaseError",
    "Moved",
    "ProgramRun",
    "RemoteRobot",
    "RobotLoop",
    "RunLife",
    "RunOptions",
    "RunState",
    "SampleChunk",
    "SampleStream",
    "StopCounts",
    "StopOutcome",
    "StoppedError",
    "WatchedArm",
    "compile_kernels",
    "corridor_of",
    "error_text",
    "is_compiled",
    "is_warm",
    "robots_of",
    "warm_up",
]

# Old names, for one version.
warm_up = compile_kernels
is_warm = is_compiled
