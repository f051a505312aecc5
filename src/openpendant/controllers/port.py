"""The interface that every controller keeps: drivers of real robots, and the plant behind virtual ones.

A controller obeys; it takes plain jobs (`SampledPath`, `VendorText`) and setpoints, and knows nothing of programs.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .jobs import Job, Progress
from .states import Capabilities, ControllerEvent, RobotState, StopKind

__all__ = ["Controller"]

Array = NDArray[np.float64]


class Controller(Protocol):
    """One robot's controller. All calls come from one thread, and none of them waits but `connect` and `close`.

    Misuse raises InputError; a broken link LinkError; a refusal of the robot ControllerError in the robot's own words.
    After a loss the controller reconnects by itself: `state.connected` and the events tell.
    """

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        ...

    @property
    def state(self) -> RobotState:
        """The newest state."""
        ...

    def connect(self) -> None:
        """Begin to talk; does nothing where it talks already.

        Raises:
            LinkError: Nobody answers.
            ControllerError: Somebody answers and refuses.
        """
        ...

    def close(self) -> None:
        """Stop what moves, and end the talk; does nothing where it has ended."""
        ...

    def poll(self, now_ns: int) -> None:
        """Do what is due at `now_ns` of the caller's monotonic clock. Called at every tick; never waits."""
        ...

    def events(self) -> tuple[ControllerEvent, ...]:
        """Return what has happened since the last call."""
        ...

    def run(self, job: Job) -> None:
        """Begin a job; one that is under way on the same arm is replaced at the next tick.

        Raises:
            InputError: It cannot be done by this robot.
            LinkError: There is no link.
            ControllerError: The robot cannot move now; says why.
        """
        ...

    def progress(self, arm: str) -> Progress:
        """Return how far the arm's present or last job is."""
        ...

    def servo(self, arm: str, q: Array) -> Array:
        """Send one setpoint for the next tick; return what was really sent. Raises as `run`."""
        ...

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Open or close an arm's tool as the cell has it wired; `state.tool_moving` tells how long that takes.

        Args:
            arm: Whose tool.
            opening_m: How far each finger of a simulated tool goes; 0 without fingers.
            closes: Whether it closes.

        Raises:
            InputError: The tool is not wired, or its fingers do not open so far.
        """
        ...

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output."""
        ...

    def stop(self, kind: StopKind = "path") -> None:
        """Stop every arm of the robot. Never raises: where there is no link, the robot's own watchdog stops it."""
        ...
