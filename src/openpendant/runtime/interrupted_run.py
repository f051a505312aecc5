"""InterruptedRun: where a run that was stopped can be resumed."""

import numpy as np
from numpy.typing import NDArray

from openpendant.programs.run import Interruption
from openpendant.programs.sequence import Resumption, WalkPlace

from .remote_port import RUN_TICK_S
from .remote_robot import RemoteRobot

Array = NDArray[np.float64]
NEAR_RAD = 0.003
"""An arm this near to where it was interrupted has not been moved away from there."""
MOST_LOOKS = round(10.0 / RUN_TICK_S)
"""After these an arm that does not come to rest counts as lost."""


class InterruptedRun:
    """Keeps where a run was in its program, and where its arm came to rest then."""

    def __init__(self, interruption: Interruption, robot: RemoteRobot) -> None:
        """The arm of `robot` may still move; `watch` waits for its rest."""
        self._interruption, self._robot = interruption, robot
        self._q_rest: Array | None = None
        self._looks = 0

    @property
    def place(self) -> WalkPlace:
        """Where it was in its program."""
        return self._interruption.place

    @property
    def arm(self) -> str:
        """The arm (robot/arm) that goes back there."""
        return self._interruption.arm

    @property
    def at_rest(self) -> bool:
        """Whether the arm has come to rest since, so that it is known where."""
        return self._q_rest is not None

    def watch(self) -> bool:
        """Look whether the arm rests; return whether it still moves."""
        arm = self._robot.state.arms.get(self._interruption.arm.split("/", 1)[1])
        if arm is not None and not arm.moving:
            self._q_rest = np.array(arm.q_rest)
        self._looks += 1
        return self._q_rest is None and self._looks < MOST_LOOKS

    def resumption(self, q_now: Array) -> Resumption | None:
        """Return how a run continues there, or None: it is not known where its arm came to rest.

        Args:
            q_now: Joints (n,) with which the arm rests now, radians (metres where a joint slides).
        """
        return None if self._q_rest is None else self._interruption.resumption(self._q_rest, q_now, NEAR_RAD)
