"""What a controller says: what it can do, how it is, and what has happened."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.messages import ControllerEventKind, Mode, Safety

__all__ = ["Capabilities", "ControllerEvent", "EventKind", "Mode", "RobotState", "Safety", "StopKind"]

Array = NDArray[np.float64]

StopKind = Literal["path", "now"]
"""'path': a controlled stop; 'now': as hard as the robot can."""

EventKind = ControllerEventKind


@dataclass(frozen=True)
class Capabilities:
    """What a controller can do."""

    tick_ns: int
    """Between two setpoints."""
    sampled: bool = True
    servo: bool = True
    dialects: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RobotState:
    """What a controller last said, stamped with its own clock. Arms by name; arrays are read-only.

    After a loss it is the last that was heard, with `connected` False: old, and it says so.
    """

    time_ns: int
    """The controller's own clock."""
    q: Mapping[str, Array]
    """Measured joints."""
    qd: Mapping[str, Array]
    openings: Mapping[str, float]
    """How far each finger of an arm's tool is open, metres."""
    inputs: Mapping[str, bool]
    outputs: Mapping[str, bool]
    moving: Mapping[str, bool]
    """Whether a job of the arm is under way, or a stop of it."""
    tool_moving: Mapping[str, bool] = field(default_factory=dict[str, bool])
    stamp_ns: int = 0
    """When it was received, on the host's monotonic clock."""
    connected: bool = True
    """Whether the robot is heard now."""
    mode: Mode = "ready"
    safety: Safety = "normal"
    q_target: Mapping[str, Array] = field(default_factory=dict[str, Array])
    """Where the controller itself wants the joints now; empty where it does not tell."""
    speed: float = 1.0
    """What share of the programmed speed it goes: the slider of the pendant."""
    in_control: bool = True
    """Whether this controller's setpoints are taken now; a driver needs a moment to get there."""

    @property
    def can_move(self) -> bool:
        """Whether the robot would obey a setpoint now."""
        return self.in_control and self.connected and self.mode == "ready" and self.safety in ("normal", "reduced")


@dataclass(frozen=True)
class ControllerEvent:
    """Something that happened at a controller."""

    time_ns: int
    """The controller's own clock."""
    kind: EventKind
    about: str
    """The arm or signal; the address of a link."""
    message: str = ""
    """In the controller's own words where it has some."""
