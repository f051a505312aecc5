"""build_controller: a controller with the arms of a robot of the catalogue."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import ArrayLike

from openpendant.errors import InputError
from openpendant.motion import JointLimits
from openpendant.robots import Robot, load
from openpendant.virtual.arm import ArmCell, Tracking, VirtualArm, arm_model
from openpendant.virtual.wire import ProgramSockets

from .controller import TICKS_PER_S, AbbController
from .robotware import options_without
from .setup import ONE_ARM, OPTIONS, AbbSetup, TaskSetup
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
    start_q: Sequence[float] | Mapping[str, ArrayLike] | None = None,
    tracking: Tracking = EXACT,
    cell: ArmCell | None = None,
    seed: int = 0,
    came_up: datetime | None = None,
) -> AbbController:
    """Return a controller that has come up. Compile its kernels (`compile_arm_kernels`) before ticking in real time.

    A robot with two arms has the units ROB_L and ROB_R, which see each other, and unless the setup says otherwise the
    tasks T_ROB_L and T_ROB_R and one option more.

    Args:
        setup: What it is made of.
        sockets: Of its programs.
        start_q: Where the arms stand, radians: one behind the other as in the robot's facts, or by arm; those that it
            does not name stand in their first posture.
        tracking: How well the joints follow; by default without noise.
        cell: What the arms can touch; None: only each other.
        seed: Of the noise.
        came_up: The local time now; None: that of this computer.

    Raises:
        UnknownNameError: There is no such robot.
        InputError: The robot has other arms, start_q is for others or not within their limits, or the tasks do not fit.
    """
    robot = load(setup.model)
    names = units_of(robot)
    if len(names) > 1 and setup.tasks == ONE_ARM:
        setup = replace(setup, tasks=TWO_ARMS)
    if len(names) > 1 and setup.options is OPTIONS:
        setup = replace(setup, options=tuple(str(one) for one in options_without((), arms=len(names))))
    arms: dict[str, VirtualArm] = {}
    joints = start_q if isinstance(start_q, Mapping) else _by_arm(robot, start_q)
    if others := set(joints) - set(robot.arms):
        raise InputError(f"start_q is for {', '.join(sorted(others))}; {robot.name} has {', '.join(robot.arms)}")
    for name in robot.arms:
        q = robot.posture(arm=name) if name not in joints else np.array(joints[name], dtype=np.float64)
        model, tick_s = arm_model(robot, name), 1.0 / TICKS_PER_S
        rise_s = _rise_s(model.limits)
        arms[names[name]] = VirtualArm(model, q, tick_s=tick_s, tracking=tracking, seed=seed + len(arms), rise_s=rise_s)
    if cell is None and len(arms) > 1:
        cell = ArmCell.alone(setup.model)
    return AbbController(setup, arms, sockets, cell=cell, came_up=came_up)


def _rise_s(limits: JointLimits) -> float:
    """Return the time in which planned moves reach their accelerations."""
    return float(np.max(limits.acceleration / limits.jerk))


def _by_arm(robot: Robot, start_q: Sequence[float] | None) -> dict[str, Sequence[float]]:
    joints: dict[str, Sequence[float]] = {}
    rest = [] if start_q is None else list(start_q)
    for name, arm in robot.arms.items() if rest else ():
        joints[name], rest = rest[: arm.dof], rest[arm.dof :]
    if rest:
        raise InputError(f"start_q has {len(rest)} joints too many for {robot.name}")
    return joints


def tasks_of(robot: Robot) -> tuple[TaskSetup, ...]:
    """Return the motion tasks of a robot's controller.

    Raises:
        InputError: It is not the robot of such a controller.
    """
    return TWO_ARMS if len(units_of(robot)) > 1 else ONE_ARM


def units_of(robot: Robot) -> dict[str, str]:
    """Return the mechanical unit of each arm.

    Raises:
        InputError: It is not the robot of such a controller.
    """
    names = dict.fromkeys(robot.arms, UNIT) if len(robot.arms) == 1 else UNITS
    if set(names) != set(robot.arms) or any(arm.dof not in AXES for arm in robot.arms.values()):
        allowed = " or ".join(map(str, AXES))
        raise InputError(f"{robot.name} has not one or two arms of {allowed} axes; irb120 and yumi are allowed")
    return names
