"""RobotPort: what a run of a program needs of a robot, wherever its controller is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from openpendant.motion import Trajectory

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PortState:
    """A robot as a run sees it; arms and signals by name."""

    q: Mapping[str, Array]
    """(n,): joints that a motion from rest begins with, radians (metres where a joint slides)."""
    inputs: Mapping[str, bool]
    outputs: Mapping[str, bool]
    tool_moving: Mapping[str, bool]
    """By arm."""


class Playback(Protocol):
    """A trajectory on its way."""

    @property
    def at_rest(self) -> bool:
        """Whether everything that was sent has been done."""
        ...

    @property
    def done(self) -> bool:
        """Whether it has arrived."""
        ...

    @property
    def place(self) -> float:
        """Where on its path it is, as s of the trajectory."""
        ...

    def stop(self) -> None:
        """Come to rest on the path; called at every tick until it rests."""
        ...

    def resume(self) -> None:
        """Continue along the path after a stop."""
        ...

    def set_speed(self, speed: float) -> None:
        """Continue at another override; called at every tick."""
        ...


class RobotPort(Protocol):
    """One robot. No call waits; a robot that refuses or is lost raises ControllerError."""

    @property
    def tick_s(self) -> float:
        """Between two ticks of a run, seconds."""
        ...

    @property
    def state(self) -> PortState:
        """The newest state."""
        ...

    def play(self, trajectory: Trajectory, arm: str, speed: float) -> Playback:
        """Send a trajectory to an arm.

        Args:
            trajectory: From where the arm rests.
            arm: Its name.
            speed: Override of speeds, above 0 up to 1.
        """
        ...

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Open or close an arm's tool; `state.tool_moving` is true meanwhile.

        Args:
            arm: Name of the arm that carries the tool.
            opening_m: How far each finger of a simulated tool opens, metres; 0 without fingers.
            closes: Whether the tool closes; False: it opens.
        """
        ...

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output."""
        ...

    def pass_tick(self) -> None:
        """Let a tick pass, on a robot that has no clock of its own."""
        ...
