"""JointLimits: how far and how fast the joints of an arm may go."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.robots import JointFacts, Robot

Array = NDArray[np.float64]

ACCELERATION_TIME_S = 0.25
"""Without an acceleration in the facts, full speed is reached in this time: an assumption."""
JERK_TIME_S = 0.05
"""Makers publish no jerk. Full acceleration is reached in this time: an assumption, on the gentle side."""

STOP_SHARE = 1.25
"""Without a deceleration of stops in the facts, it is this multiple of the acceleration: an assumption."""
STOP_RISE_S = 0.02
"""Time in which the deceleration of a stop is reached, unless the facts have one: an assumption."""

TOUCH = 1e-9
"""Radians or metres beyond a limit of position that are rounding."""


@dataclass(frozen=True, eq=False)
class StopLimits:
    """What a stop may use, in the order of q. Arrays are read-only.

    Motion limits are for planning; a stop knows no comfort. An acceleration under way may be dropped at once; the
    deceleration then rises to its full value within `rise_s`, and is released as fast at the end.
    """

    deceleration: Array
    """(n,): rad/s² (m/s² where a joint slides)."""
    rise_s: Array
    """(n,): time in which the deceleration is reached."""

    def __post_init__(self) -> None:
        """Freeze the arrays and check that they belong together."""
        n = np.shape(self.deceleration)
        for name in ("deceleration", "rise_s"):
            value = np.array(getattr(self, name), dtype=np.float64)
            if value.ndim != 1 or value.shape != n or not (np.isfinite(value) & (value > 0.0)).all():
                raise InputError(f"{name} of stops is {value.tolist()}; it must be positive and finite for each joint")
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    @cached_property
    def jerk(self) -> Array:
        """(n,): how fast the deceleration rises and is released."""
        return self.deceleration / self.rise_s


@dataclass(frozen=True, eq=False)
class JointLimits:
    """Limits in the order of q, radians (metres where a joint slides). Arrays are read-only.

    Velocity, acceleration and jerk are motion limits; jerk may be infinite. No stop is weaker than planned motion.
    """

    lower: Array
    upper: Array
    velocity: Array
    acceleration: Array
    jerk: Array
    stop: StopLimits
    """What a stop may use."""

    def __post_init__(self) -> None:
        """Freeze the arrays and check that they belong together."""
        n = len(self.lower)
        for name in ("lower", "upper", "velocity", "acceleration", "jerk"):
            value = np.array(getattr(self, name), dtype=np.float64)
            if value.shape != (n,) or np.isnan(value).any():
                raise InputError(f"{name} is {value.tolist()}; allowed: one number for each of {n} joints")
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        if n == 0 or not (self.lower <= self.upper).all():
            raise InputError(f"limits {self.lower.tolist()} … {self.upper.tolist()}; a lower one exceeds its upper one")
        for name in ("velocity", "acceleration", "jerk"):
            value: Array = getattr(self, name)
            if not (value > 0.0).all() or (name != "jerk" and not np.isfinite(value).all()):
                raise InputError(f"{name} limits are {value.tolist()}; they must be positive and finite")
        if self.stop.deceleration.shape != (n,) or (self.stop.deceleration < self.acceleration).any():
            raise InputError(
                f"stops decelerate by {self.stop.deceleration.tolist()}; motion needs {self.acceleration.tolist()}"
            )

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
        """Return these limits with velocity, acceleration and jerk multiplied; `jerk=math.inf` lifts that limit.

        Stops stay as they are, but never weaker than the acceleration.
        """
        faster = self.acceleration * acceleration
        stop = self.stop
        if (stop.deceleration < faster).any():
            stop = StopLimits(np.maximum(stop.deceleration, faster), stop.rise_s)
        return JointLimits(self.lower, self.upper, self.velocity * velocity, faster, self.jerk * jerk, stop)


def assumed_stop(acceleration: Array) -> StopLimits:
    """Return stop limits for joints of which only the acceleration of motion is known."""
    return StopLimits(STOP_SHARE * acceleration, np.full(len(acceleration), STOP_RISE_S))


def joint_limits(robot: Robot, arm: str | None = None) -> JointLimits:
    """Return the limits of an arm from the robot's facts; the first arm where no name is given.

    Raises:
        InputError: The robot has no such arm, or its facts lack the velocity of a joint.
    """
    found = robot.arm(arm)
    facts = {joint.name: joint for joint in robot.facts.joints}
    joints = [facts[name] for name in robot.arm_facts(arm).joints]
    velocity = np.array([_velocity(joint) for joint in joints])
    acceleration = np.array([_acceleration(joint) for joint in joints])
    jerk = acceleration / JERK_TIME_S
    assumed = assumed_stop(acceleration)
    known = [_deceleration(joint) for joint in joints]
    rise = [joint.stop_rise_s for joint in joints]
    stop = StopLimits(_known_or(known, assumed.deceleration), _known_or(rise, assumed.rise_s))
    return JointLimits(found.limits_lower, found.limits_upper, velocity, acceleration, jerk, stop)


def _velocity(joint: JointFacts) -> float:
    if joint.kind == "prismatic":
        value = joint.velocity_m_s
    else:
        value = None if joint.velocity_deg_s is None else math.radians(joint.velocity_deg_s)
    if value is None:
        raise InputError(f"the facts have no velocity of joint {joint.name}; timing needs one")
    return value


def _acceleration(joint: JointFacts) -> float:
    if joint.kind == "prismatic":
        value = joint.acceleration_m_s2
    else:
        value = None if joint.acceleration_deg_s2 is None else math.radians(joint.acceleration_deg_s2)
    return _velocity(joint) / ACCELERATION_TIME_S if value is None else value


def _deceleration(joint: JointFacts) -> float | None:
    if joint.kind == "prismatic":
        return joint.stop_deceleration_m_s2
    return None if joint.stop_deceleration_deg_s2 is None else math.radians(joint.stop_deceleration_deg_s2)


def _known_or(known: Sequence[float | None], assumed: Array) -> Array:
    return np.array([other if value is None else value for value, other in zip(known, assumed, strict=True)])
