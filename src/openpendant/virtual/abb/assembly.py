"""build_controller: a controller with the arms of a robot of the catalogue."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from openpendant.errors import InputError
from openpendant.robots import Robot, load
from openpendant.virtual.arm import ArmCell, Tracking, VirtualArm, arm_model
from openpendant.virtual.wire import ProgramSockets

from .controller import TICKS_PER_S, AbbController
from .setup import ONE_ARM, AbbSetup, TaskSetup
from .unit import AXES

UNIT = "ROB_1"
UNITS = {"left": "ROB_L", "right": "ROB_R"}
"""Mechanical units of a robot with two arms, by arm."""
TWO_ARMS = (TaskSetup("T_ROB_L", "ROB_L"), TaskSetup("T_ROB_R", "ROB_R"))
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

    A robot with two arms has the units ROB_L and ROB_R, which see each other, and unless the setup says otherwise the
    tasks T_ROB_L and T_ROB_R.

    Args:
        setup: What it is made of.
        sockets: Of its programs.
        start_q: Where the arms stand, radians, one behind the other as in the robot's facts; None: in the first
            posture of each.
        tracking: How well the joints follow; by default without noise.
        came_up: The local time now; None: that of this computer.

    Raises:
        UnknownNameError: There is no such robot.
        InputError: The robot has other arms, start_q is not within their limits, or the tasks do not fit.
    """
    robot = load(setup.model)
    names = _units(robot)
    if len(names) > 1 and setup.tasks == ONE_ARM:
        setup = replace(setup, tasks=TWO_ARMS)
    arms: dict[str, VirtualArm] = {}
    rest = None if start_q is None else list(start_q)
    for name, arm in robot.arms.items():
        q = robot.posture(arm=name) if rest is None else np.array(rest[: arm.dof])
        rest = None if rest is None else rest[arm.dof :]
        arms[names[name]] = VirtualArm(arm_model(robot, name), q, tick_s=1.0 / TICKS_PER_S, tracking=tracking)
    if rest:
        raise InputError(f"start_q has {len(rest)} joints too many for {setup.model}")
    cell = ArmCell.alone(setup.model) if len(arms) > 1 else None
    return AbbController(setup, arms, sockets, cell=cell, came_up=came_up)


def _units(robot: Robot) -> dict[str, str]:
    """Return the mechanical unit of each arm."""
    names = dict.fromkeys(robot.arms, UNIT) if len(robot.arms) == 1 else UNITS
    if set(names) != set(robot.arms) or any(arm.dof not in AXES for arm in robot.arms.values()):
        allowed = " or ".join(map(str, AXES))
        raise InputError(f"{robot.name} has not one or two arms of {allowed} axes; irb120 and yumi are allowed")
    return names
