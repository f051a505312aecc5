"""The interface that every controller keeps: drivers of real robots, and the plant behind virtual ones.

A controller obeys; it takes plain jobs (`SampledPath`, `VendorText`) and setpoints, and knows nothing of programs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

__all__ = [
    "Capabilities",
    "Controller",
    "ControllerEvent",
    "Job",
    "Progress",
    "RobotState",
    "SampledPath",
    "StopKind",
    "VendorText",
]

Array = NDArray[np.float64]
StopKind = Literal["path", "now"]
"""'path': a controlled stop; 'now': as hard as the robot can."""


@dataclass(frozen=True, eq=False)
class SampledPath:
    """Joints of one arm for every tick to come; the arm rests at its last row."""

    arm: str
    Q: NDArray[np.float64]
    """(N, n): radians, one row for each tick. Read-only."""

    def __post_init__(self) -> None:
        """Freeze the rows; raises InputError where they are none."""
        Q = np.array(self.Q, dtype=np.float64)
        if Q.ndim != 2 or len(Q) == 0 or not np.isfinite(Q).all():
            raise InputError(f"a sampled path has rows of finite joints, (N, n) with N above 0; got shape {Q.shape}")
        Q.setflags(write=False)
        object.__setattr__(self, "Q", Q)


@dataclass(frozen=True)
class VendorText:
    """A program in a vendor's language, for a controller to run by itself."""

    dialect: str
    """`rapid`, `urscript` or `vplus`."""
    name: str
    text: str


Job = SampledPath | VendorText


@dataclass(frozen=True)
class Progress:
    """How far the present job of an arm is."""

    done: int
    """Ticks, or lines of vendor text."""
    total: int

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.done >= self.total


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
    """What a controller last said, stamped with its own clock. Arms by name; arrays are read-only."""

    time_ns: int
    q: Mapping[str, Array]
    qd: Mapping[str, Array]
    openings: Mapping[str, float]
    """How far each finger of an arm's tool is open, metres."""
    inputs: Mapping[str, bool]
    outputs: Mapping[str, bool]
    moving: Mapping[str, bool]
    """Whether a job of the arm is under way."""
    tool_moving: Mapping[str, bool] = field(default_factory=dict[str, bool])


@dataclass(frozen=True)
class ControllerEvent:
    """Something that happened at a controller."""

    time_ns: int
    kind: Literal["connected", "closed", "job started", "job done", "stopped", "output", "input", "tool"]
    about: str
    """The arm or signal."""
    message: str = ""


class Controller(Protocol):
    """One robot's controller. Calls come from one thread; misuse raises InputError."""

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    @property
    def state(self) -> RobotState:
        """The newest state."""
        ...

    def connect(self) -> None:
        """Begin to talk."""
        ...

    def close(self) -> None:
        """Stop what moves, and end the talk."""
        ...

    def events(self) -> tuple[ControllerEvent, ...]:
        """Return what has happened since the last call."""
        ...

    def run(self, job: Job) -> None:
        """Begin a job; one that is under way on the same arm is replaced at the next tick."""
        ...

    def progress(self, arm: str) -> Progress:
        """Return how far the arm's present or last job is."""
        ...

    def servo(self, arm: str, q: Array) -> Array:
        """Send one setpoint for the next tick; return what was really sent."""
        ...

    def tool(self, arm: str, opening_m: float) -> None:
        """Move the fingers of an arm's tool."""
        ...

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output."""
        ...

    def stop(self, kind: StopKind = "path") -> None:
        """Stop every arm of the robot."""
        ...
