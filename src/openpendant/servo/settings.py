"""ServoSettings: how a servo behaves."""

import math
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

Array = NDArray[np.float64]

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
    """m/s²: how quickly the requested velocity itself may change."""
    tool_turn_acceleration: float = 16.0
    """rad/s²."""
    stale_s: float = 0.1
    """An intent older than this, or than three times the time between intents (at most 0.3 s), counts no more: the arm
    comes to rest."""
    smoothing_s: float = 0.04
    """Time constant with which the samples of a hand are smoothed."""
    obstacle_gap: float = 0.01
    """No link comes nearer than this to an obstacle, m, beyond the obstacle's own margin. It is approached no faster
    than (distance - gap) / (the time of the arm's stop from full speed, with stop limits)."""

    def __post_init__(self) -> None:
        """Check the numbers; raises InputError."""
        if self.keep not in ("position", "rotation", "both"):
            raise InputError(f"keep is {self.keep!r}; allowed: 'position', 'rotation' and 'both'")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "keep" and not (isinstance(value, (int, float)) and math.isfinite(value) and value > 0):
                raise InputError(f"{field.name} is {value!r}; it must be a positive number")


GIVES_WAY = 1e-3
"""The weight of what gives way against what is kept: 30 times less in size."""
DAMPING = 5e-4
"""Of all joint velocities, against what gives way."""
SINGULAR_DAMPING = 0.04
"""Of the weakest motion in a singularity: no more than 1 / (2 √) = 2.5 times as fast as the tool is asked to be."""
CENTRING = 1e-3
"""For redundant arms, against what gives way: how much joints keep away from their limits."""
AHEAD_S = 0.1
"""A velocity may be wanted as far ahead as a joint accelerates in this time."""
BLOCKED_LEAD = 0.003
"""Metres that the reference is ahead at most where something is in the way."""
FEEDBACK = 10.0
"""1/s: with which the tool closes in on its reference."""


def place_settings(settings: ServoSettings, dt: float, stop_s: float, *, redundant: bool) -> Array:
    """Return the settings as the kernels read them (`kernels/reference.py`, `kernels/tick.py`).

    Args:
        settings: Of a person.
        dt: Seconds between two setpoints.
        stop_s: How long a stop from full speed takes, with stop limits.
        redundant: Whether the arm has joints to spare.
    """
    position = GIVES_WAY if settings.keep == "rotation" else 1.0
    rotation = GIVES_WAY if settings.keep == "position" else 1.0
    lead = 0.6 / settings.smoothing_s
    smooth = min(1.4 / settings.smoothing_s, 0.3 / dt)
    reference = [settings.tool_speed, settings.tool_turn, settings.tool_acceleration, settings.tool_turn_acceleration]
    reference += [lead, smooth, min(FEEDBACK, 0.2 / dt)]
    # Where the reference begins to wait, where it stands still, and how far it is ahead at most.
    reference += [0.02, 0.05, 0.06] if settings.keep == "rotation" else [0.0015, 0.004, 0.008]
    reference += [0.3, 0.5, 0.6] if settings.keep == "position" else [0.01, 0.03, 0.06]
    reference += [BLOCKED_LEAD]
    weights = [position, rotation, DAMPING, SINGULAR_DAMPING, CENTRING if redundant else 0.0, AHEAD_S]
    # An obstacle is approached at (distance - gap) / stop_s. Where that binds, the speed v falls by v / stop_s: from
    # full speed as by the deceleration of a stop, which goes half as far as is left. In less time joints, which brake
    # with motion limits here, come too late: with three quarters of it an IRB 120 touched a table at 1 m/s.
    return np.array([*reference, *weights, settings.obstacle_gap, stop_s + dt])
