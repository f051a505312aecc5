"""PathMove: one move that a program has asked for, with everything that limits it."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.motion import FINE, JointLimits, Move, Speed

Array = NDArray[np.float64]
FREE = 1e6
"""What does not bind."""
FULL = 0.999
"""A little less than all: between two places of the law a joint may be a trifle faster."""


@dataclass(frozen=True, eq=False)
class PathMove:
    """A move with its speed and the zone at its end, and what else limits it. Joint limits always bind.

    The speed binds all kinds of moves: a `Speed` of the tool also where the joints are to move straight, and the part
    of the joints' speeds also where the tool is.
    """

    move: Move
    joint_velocity: float = math.inf
    """Of the leading joint, rad/s."""
    joint_acceleration: float = math.inf
    """Of the leading joint, rad/s²."""
    acceleration_fraction: float = 1.0
    """Part of the acceleration that each joint has in planned moves."""
    tool_acceleration: float = math.inf
    """Of the tool's point, m/s²."""
    turn_acceleration: float = math.inf
    """Of the tool's orientation, rad/s²."""
    duration_s: float = 0.0
    """Above 0: rules speeds and accelerations of the tool and of the leading joint."""

    def __post_init__(self) -> None:
        """Refuse what is not a limit."""
        for name in ("joint_velocity", "joint_acceleration", "tool_acceleration", "turn_acceleration"):
            if not getattr(self, name) > 0.0:
                raise InputError(f"{name} is {getattr(self, name)}; it must be positive")
        if not 0.0 < self.acceleration_fraction <= 1.0:
            raise InputError(f"acceleration_fraction is {self.acceleration_fraction}; allowed: above 0 up to 1")
        if not 0.0 <= self.duration_s < math.inf:
            raise InputError(f"duration_s is {self.duration_s}; it must be finite and not negative")

    def geometry(self, *, fine: bool, speed: bool = False) -> Move:
        """Return where the path goes, without a speed unless `speed` asks for it; `fine`: to rest at its end."""
        own = self.move.speed if speed else Speed()
        return replace(self.move, speed=own, zone=FINE if fine else self.move.zone)

    def rows(self, limits: JointLimits) -> Array:
        """Return the limits of the law's rows (joints, way and turn of the tool): velocities, then accelerations."""
        n, speed = limits.dof, self.move.speed
        velocity, acceleration = np.empty(n + 2), np.empty(n + 2)
        velocity[:n] = np.minimum(FULL * limits.velocity * speed.joint_fraction, self.joint_velocity)
        acceleration[:n] = np.minimum(limits.acceleration * self.acceleration_fraction, self.joint_acceleration)
        velocity[n:] = min(speed.tool_m_s, FREE), min(speed.turn_rad_s, FREE)
        acceleration[n:] = min(self.tool_acceleration, FREE), min(self.turn_acceleration, FREE)
        return np.concatenate([velocity, acceleration])

    def slowed(self, share: float) -> "PathMove":
        """Return the move at a part of its speed, 0 < share ≤ 1, with gentler ramps: it takes 1 / share the time."""
        speed = self.move.speed
        slower = Speed(share * speed.tool_m_s, share * speed.turn_rad_s, share * speed.joint_fraction)
        return PathMove(
            replace(self.move, speed=slower),
            share * self.joint_velocity,
            share**2 * self.joint_acceleration,
            share**2 * self.acceleration_fraction,
            share**2 * self.tool_acceleration,
            share**2 * self.turn_acceleration,
            self.duration_s / share,
        )

    def ruled_by(self, velocity: float, acceleration: float, lever_m: float) -> "PathMove":
        """Return the move with other limits instead of its own: of the leading joint, or of the tool.

        Args:
            velocity: Largest, rad/s of the leading joint, or m/s of the tool.
            acceleration: Largest, likewise.
            lever_m: 0: they are of the joints; else the tool may turn as if its point had this lever.
        """
        if lever_m <= 0.0:
            return PathMove(self.geometry(fine=False), velocity, acceleration)
        return PathMove(
            replace(self.move, speed=Speed(velocity, velocity / lever_m)),
            tool_acceleration=acceleration,
            turn_acceleration=acceleration / lever_m,
        )
