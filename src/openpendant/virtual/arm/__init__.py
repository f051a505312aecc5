"""Virtual arms of any number of joints: what a controller without hardware moves.

    model = arm_model(load("yumi"), "left")
    arm = VirtualArm(model, load("yumi").posture("home", "left"), tick_s=0.004)
    arm.release_brakes()
    arm.queue.add(PathMove(MoveLine(T_base_tool, speed=find_speed("v200"), zone=find_zone("z10"))))
    arm.tick()

In: moves (also while the arm moves), setpoints, velocities, pauses, stops, an override, brakes. Out: the targets of
the drives, where the joints really are, what they touch. No socket and no clock: one `tick` is one period, and several
arms are ticked together by an `ArmGroup`. Metres, radians; joints in the vendor's counting, poses in the arm's base.
"""

from .arm_group import ArmGroup
from .arm_model import ArmModel, arm_model, brakes_at_once, no_load
from .arm_plant import ArmPlant
from .cell_watch import ArmCell, CellWatch, Touch
from .compile_ahead import compile_arm_kernels
from .joints_near import joints_near
from .move_queue import MoveQueue
from .mover import SMOOTHING_S, Claim, Doing, Mover
from .path import Path, PathFault
from .path_move import PathMove
from .tick_clock import TickClock
from .tracking import Tracking, step_numbers
from .virtual_arm import VirtualArm

__all__ = [
    "SMOOTHING_S",
    "ArmCell",
    "ArmGroup",
    "ArmModel",
    "ArmPlant",
    "CellWatch",
    "Claim",
    "Doing",
    "MoveQueue",
    "Mover",
    "Path",
    "PathFault",
    "PathMove",
    "TickClock",
    "Touch",
    "Tracking",
    "VirtualArm",
    "arm_model",
    "brakes_at_once",
    "compile_arm_kernels",
    "joints_near",
    "no_load",
    "step_numbers",
    "warm_up_arm",
]

# Old names, for one version.
warm_up_arm = compile_arm_kernels
