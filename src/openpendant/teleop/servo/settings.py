"""ServoSettings: how a servo behaves."""

import math
from dataclasses import dataclass, fields
from typing import Literal

from openpendant.errors import InputError

__all__ = ["Keep", "ServoSettings"]

Keep = Literal["position", "rotation", "both"]
"""What is kept where the arm cannot do all: the tool's position (its rotation gives way), its rotation, or both (the
tool slows down and, where it must, halts)."""


@dataclass(frozen=True, kw_only=True)
class ServoSettings:
    """How a servo behaves. Metres, radians, seconds."""

    keep: Keep = "position"
    tool_speed: float = 1.0
    """The tool's point never is asked to go faster, m/s."""
    tool_turn: float = math.pi
    """Nor the tool to turn faster, rad/s."""
    tool_acceleration: float = 4.0
    """m/s²: how quickly the wish itself may change."""
    tool_turn_acceleration: float = 16.0
    """rad/s²."""
    stale_s: float = 0.15
    """An intent older than this counts no more: the arm comes to rest."""
    smoothing_s: float = 0.04
    """Time constant with which the samples of a hand are smoothed."""
    obstacle_gap: float = 0.01
    """No link comes nearer than this to an obstacle, m, beyond the obstacle's own margin."""
    obstacle_time: float = 0.2
    """An obstacle is approached no faster than (distance - gap) / this."""

    def __post_init__(self) -> None:
        """Check the numbers; raises InputError."""
        if self.keep not in ("position", "rotation", "both"):
            raise InputError(f"keep is {self.keep!r}; allowed are 'position', 'rotation' and 'both'")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "keep" and not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
                raise InputError(f"{field.name} is {value!r}; it must be a positive number")
