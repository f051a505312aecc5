"""The interface that every controller keeps: drivers of real robots, and the plant behind virtual ones.

A controller obeys; it takes plain jobs (`SampledPath`, `VendorText`, `VendorTasks`) and setpoints, and knows nothing of
programs.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .jobs import Job, Progress
from .states import Capabilities, ControllerEvent, RobotState, StopKind

Array = NDArray[np.float64]


class Controller(Protocol):
    """One robot's controller. All calls come from one thread, and none of them waits but `connect` and `close`.

    Misuse raises InputError; a broken link LinkError; a refusal of the robot ControllerError in the robot's own words.
    After a loss the controller reconnects by itself: see `state.connected` and the events.
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
        """Connect; does nothing if it is connected.

        Raises:
            LinkError: No reply.
            ControllerError: Somebody answers and refuses.
        """
        ...

    def close(self) -> None:
        """Stop what moves, and end the talk; does nothing where it has ended."""
        ...

    def poll(self, now_ns: int) -> None:
        """Do what is due. Called at every tick; never waits.

        Args:
            now_ns: Now, nanoseconds of the caller's monotonic clock.
        """
        ...

    def events(self) -> tuple[ControllerEvent, ...]:
        """Return what has happened since the last call."""
        ...

    def run(self, job: Job) -> None:
        """Begin a job; one that is under way on the same arm is replaced at the next tick.

        Args:
            job: Sampled joints of one arm, (N, n) radians with one row per tick, or a program in a vendor's language,
                or several that start together.

        Raises:
            InputError: It cannot be done by this robot.
            LinkError: There is no link.
            ControllerError: The robot cannot move now; says why.
        """
        ...

    def progress(self, arm: str) -> Progress:
        """Return how far the arm's present or last job is, in ticks or lines of vendor text.

        Args:
            arm: Name of the arm.

        Raises:
            UnknownNameError: The robot has no such arm.
        """
        ...

    def servo(self, arm: str, q: Array) -> Array:
        """Send one setpoint for the next tick.

        Args:
            arm: Name of the arm.
            q: (n,): joints in the vendor's counting, radians (metres where a joint slides).

        Returns:
            (n,): what was really sent, after clipping to the robot's limits.

        Raises:
            InputError: Unknown arm, not n finite joints, or a setpoint that the robot refuses as a jump.
            LinkError: There is no link.
            ControllerError: The robot cannot move now; says why.
        """
        ...

    def tool(self, arm: str, opening_m: float, *, closes: bool) -> None:
        """Open or close an arm's tool as the cell has it wired; `state.tool_moving` is true meanwhile.

        Args:
            arm: Name of the arm that carries the tool.
            opening_m: How far each finger of a simulated tool opens, metres; 0 without fingers.
            closes: Whether the tool closes; False: it opens.

        Raises:
            InputError: Unknown arm, a tool that is not wired, or an opening beyond the travel of its fingers.
            LinkError: There is no link.
            ControllerError: The robot refuses an output of the tool; says why.
        """
        ...

    def set_output(self, name: str, value: bool) -> None:
        """Set a digital output.

        Args:
            name: Name of the signal.
            value: True: high.

        Raises:
            InputError: The robot has no such output.
            LinkError: There is no link.
            ControllerError: The robot refuses it; says why.
        """
        ...

    def stop(self, kind: StopKind = "path") -> None:
        """Stop every arm of the robot. Never raises: where there is no link, the robot's own watchdog stops it.

        Args:
            kind: 'path': a controlled stop along the path; 'now': as hard as the robot can.
        """
        ...
