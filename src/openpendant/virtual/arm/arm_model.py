"""ArmModel: what a virtual arm must know of a real one."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Arm
from openpendant.motion import JointLimits, joint_limits
from openpendant.robots import Robot

Array = NDArray[np.float64]
SUPERVISED_SHARE = 1.05
"""Without published supervised joint speeds, they are this multiple of the largest: an assumption."""
HARDEST_SHARE = 2.5
"""Setpoints may accelerate a joint by this multiple of planned moves: an assumption."""
GUARD_SHARE = 0.95
"""Of the weakest joint's deceleration in a stop: what must be enough before a limit of position."""


@dataclass(frozen=True, eq=False)
class ArmModel:
    """Geometry, limits and masses of an arm of n joints, in the vendor's counting. Radians, metres, kilograms."""

    arm: Arm
    limits: JointLimits
    """Of planned moves and of stops."""
    supervised: Array
    """(n,): rad/s; a faster velocity command is refused."""
    hardest: Array
    """(n,): rad/s²; no setpoint and no velocity command accelerates a joint more."""
    guard: float
    """rad/s²: the leading joint brakes at least so hard before a limit of position."""
    brake: Array
    """(n,): rad/s²: deceleration by the brakes; infinite: they hold at once."""
    load: Array
    """(n + 1, 4): mass and its centre, in the frame of each joint counted from the base, then in that of the flange."""
    T_flange_controller: Array = field(default_factory=lambda: np.eye(4))
    """(4, 4): what the maker's controller calls the flange, in the arm's flange."""

    @property
    def dof(self) -> int:
        """How many joints."""
        return self.arm.dof


def arm_model(robot: Robot, arm: str | None = None) -> ArmModel:
    """Return what the facts of a robot say of an arm (by default the first) and the tool that it carries.

    Raises:
        UnknownNameError: The robot has no such arm.
        InputError: The robot has no arm, or its facts lack the velocity of a joint.
    """
    found, limits = robot.arm(arm), joint_limits(robot, arm)
    stop = limits.stop.deceleration
    return ArmModel(
        found,
        limits,
        supervised=SUPERVISED_SHARE * limits.velocity,
        hardest=np.maximum(HARDEST_SHARE * limits.acceleration, stop),
        guard=GUARD_SHARE * float(stop.min()),
        brake=stop.copy(),
        load=_load(robot, found),
        T_flange_controller=robot.T_flange_controller(found.name),
    )


def no_load(dof: int) -> Array:
    """Return the load of an arm whose masses are not known, or do not matter."""
    return np.zeros((dof + 1, 4))


def brakes_at_once(dof: int) -> Array:
    """Return brakes that hold at once."""
    return np.full(dof, math.inf)


def _load(robot: Robot, arm: Arm) -> Array:
    rows, chain = no_load(arm.dof), arm.chain
    order: list[int] = arm.chain.order.tolist()
    links = {link.name: link for link in robot.facts.links}
    for row, index in zip(rows, order, strict=False):
        link = links[robot.tree.edge(chain.names[index]).child]
        row[:] = (link.mass_kg, *link.com_m)
    tool = robot.tool(arm.name)
    if tool is not None:
        rows[-1] = (tool.mass_kg, *tool.com_m)
    return rows
