"""JointLimits: how far and how fast the joints of an arm may go."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.robots import JointFacts, Robot

__all__ = ["ACCELERATION_TIME_S", "JERK_TIME_S", "TOUCH", "JointLimits", "joint_limits"]

Array = NDArray[np.float64]

ACCELERATION_TIME_S = 0.25
"""Where the facts tell no acceleration, full speed is reached in this time: an assumption."""
JERK_TIME_S = 0.05
"""Makers tell no jerk. Full acceleration is reached in this time: an assumption, on the gentle side."""

TOUCH = 1e-9
"""Radians or metres beyond a limit of position that are rounding."""


@dataclass(frozen=True, eq=False)
class JointLimits:
    """Limits in the order of q, radians (metres where a joint slides). Arrays are read-only.

    Jerk may be infinite; velocity and acceleration are finite.
    """

    lower: Array
    upper: Array
    velocity: Array
    acceleration: Array
    jerk: Array

    def __post_init__(self) -> None:
        """Freeze the arrays and check that they belong together."""
        n = len(self.lower)
        for name in ("lower", "upper", "velocity", "acceleration", "jerk"):
            value = np.array(getattr(self, name), dtype=np.float64)
            if value.shape != (n,) or np.isnan(value).any():
                raise InputError(f"{name} is {value.tolist()}; allowed is one number for each of {n} joints")
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        if n == 0 or not (self.lower <= self.upper).all():
            raise InputError(f"limits {self.lower.tolist()} … {self.upper.tolist()}; a lower one exceeds its upper one")
        for name in ("velocity", "acceleration", "jerk"):
            value: Array = getattr(self, name)
            if not (value > 0.0).all() or (name != "jerk" and not np.isfinite(value).all()):
                raise InputError(f"{name} limits are {value.tolist()}; they must be positive and finite")

    @cached_property
    def rates(self) -> Array:
        """(3, n) velocity, acceleration and jerk, as the kernels read them: no jerk is above 1e30."""
        return np.array([self.velocity, self.acceleration, np.minimum(self.jerk, 1e30)])

    @cached_property
    def smooth(self) -> bool:
        """Whether any joint has a limit of jerk."""
        return bool(np.isfinite(self.jerk).any())

    @property
    def dof(self) -> int:
        """How many joints."""
        return len(self.lower)

    def scaled(self, *, velocity: float = 1.0, acceleration: float = 1.0, jerk: float = 1.0) -> "JointLimits":
        """Return these limits with velocity, acceleration and jerk multiplied; `jerk=math.inf` lifts that limit."""
        return JointLimits(
            self.lower, self.upper, self.velocity * velocity, self.acceleration * acceleration, self.jerk * jerk
        )


def joint_limits(robot: Robot, arm: str | None = None) -> JointLimits:
    """Return the limits of an arm from the robot's facts; the first arm where no name is given.

    Raises:
        InputError: The robot has no such arm, or its facts tell no velocity of a joint.
    """
    found = robot.arm(arm)
    facts = {joint.name: joint for joint in robot.facts.joints}
    joints = [facts[name] for name in robot.arm_facts(arm).joints]
    velocity = np.array([_velocity(joint) for joint in joints])
    acceleration = np.array([_acceleration(joint) for joint in joints])
    return JointLimits(found.limits_lower, found.limits_upper, velocity, acceleration, acceleration / JERK_TIME_S)


def _velocity(joint: JointFacts) -> float:
    if joint.kind == "prismatic":
        value = joint.velocity_m_s
    else:
        value = None if joint.velocity_deg_s is None else math.radians(joint.velocity_deg_s)
    if value is None:
        raise InputError(f"the facts tell no velocity of joint {joint.name}; timing needs one")
    return value


def _acceleration(joint: JointFacts) -> float:
    if joint.kind == "prismatic":
        value = joint.acceleration_m_s2
    else:
        value = None if joint.acceleration_deg_s2 is None else math.radians(joint.acceleration_deg_s2)
    return _velocity(joint) / ACCELERATION_TIME_S if value is None else value
