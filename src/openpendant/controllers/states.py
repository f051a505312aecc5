"""What a controller says: what it can do, how it is, and what has happened."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.messages import ControllerEventKind, Mode, OperatingMode, Safety

Array = NDArray[np.float64]

StopKind = Literal["path", "now"]
"""'path': a controlled stop; 'now': as hard as the robot can."""

EventKind = ControllerEventKind


@dataclass(frozen=True)
class Capabilities:
    """What a controller can do. It may be known only once it is connected."""

    tick_ns: int
    """Between two setpoints, and between two calls of `poll`; the same for the controller's life."""
    sampled: bool = True
    """Whether it takes a `SampledPath`."""
    servo: bool = True
    """Whether it takes setpoints; `servo` raises InputError where it does not."""
    dialects: tuple[str, ...] = ()
    """Languages of the programs that it runs."""
    arms: tuple[str, ...] = ()
    """Its arms; empty: those of its states."""
    state_ns: int = 0
    """Between two states, where they come more slowly than ticks; 0: one at every tick."""
    fastest_stop: str = ""
    """What `stop("now")` does to an arm that takes setpoints, in the controller's words; empty: nothing to name."""


@dataclass(frozen=True)
class OpenWindow:
    """A window that the controller has open on its own screen."""

    number: int
    """Another one for each window."""
    title: str
    text: str


@dataclass(frozen=True, eq=False)
class RobotState:
    """What a controller last said, stamped with its own clock. Arms by name; arrays are read-only.

    After a loss it is the last state received, with `connected` False.
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
    """Whether the controller is connected and sends its state."""
    mode: Mode = "ready"
    safety: Safety = "normal"
    q_target: Mapping[str, Array] = field(default_factory=dict[str, Array])
    """The controller's own joint targets now; empty if it does not report them."""
    speed: float = 1.0
    """What share of the programmed speed it goes: the slider of the pendant."""
    in_control: bool = True
    """Whether this controller's setpoints are taken now, or its programs where it takes none; a driver needs a moment
    to get there."""
    operating: OperatingMode = "unknown"
    window: OpenWindow | None = None
    """The open window of the controller; None: there is none, or it is not reported."""

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
