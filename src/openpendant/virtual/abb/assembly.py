"""build_controller: a controller with the arm of a robot of the catalogue."""

from collections.abc import Sequence
from datetime import datetime

from openpendant.errors import InputError
from openpendant.robots import load
from openpendant.virtual.arm import Tracking, VirtualArm, arm_model
from openpendant.virtual.wire import ProgramSockets

from .controller import TICKS_PER_S, AbbController
from .setup import AbbSetup
from .unit import AXES

UNIT = "ROB_1"
EXACT = Tracking(noise=0.0)


def build_controller(
    setup: AbbSetup,
    sockets: ProgramSockets,
    *,
    start_q: Sequence[float] | None = None,
    tracking: Tracking = EXACT,
    came_up: datetime | None = None,
) -> AbbController:
    """Return a controller that has come up. Before it is ticked in real time, compile its kernels (`warm_up_arm`).

    Args:
        setup: What it is made of.
        sockets: Of its programs.
        start_q: Where the arm stands, radians; None: in the first posture of the robot.
        tracking: How well its joints follow; by default without noise.
        came_up: The local time now; None: that of this computer.

    Raises:
        UnknownNameError: There is no such robot.
        InputError: The robot has not one arm of six axes, start_q is not within its limits, or the tasks do not fit.
    """
    robot = load(setup.model)
    if len(robot.facts.arms) != 1 or robot.arm().dof != AXES:
        raise InputError(f"{setup.model} has not one arm of {AXES} axes; irb120 is allowed")
    q = robot.posture() if start_q is None else start_q
    arm = VirtualArm(arm_model(robot), q, tick_s=1.0 / TICKS_PER_S, tracking=tracking)
    return AbbController(setup, {UNIT: arm}, sockets, came_up=came_up)
