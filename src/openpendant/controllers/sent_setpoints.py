"""SentSetpoints: the last setpoints of an arm: whether it is streamed, where it is sent to, how it stops from there."""

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers.stop_motion import brake_joints

Array = NDArray[np.float64]

RECENT_NS = 100_000_000
"""A setpoint older than this is not followed by another one."""


class SentSetpoints:
    """The last two, with their times; times are nanoseconds of one clock, joints (n,) radians."""

    def __init__(self) -> None:
        """Begin with none."""
        self._last: list[tuple[Array, int]] = []

    def add(self, q: Array, now_ns: int) -> None:
        """Note that a setpoint was sent."""
        self._last = [*self._last[-1:], (np.array(q), now_ns)]

    def clear(self) -> None:
        """Forget them: the arm is no longer where they say."""
        self._last = []

    def recent(self, now_ns: int) -> bool:
        """Return whether the last one was sent of late."""
        return bool(self._last) and now_ns - self._last[-1][1] < RECENT_NS

    @property
    def q(self) -> Array:
        """The last one; there must be one."""
        return self._last[-1][0]

    def stop_rows(self, deceleration: Array, jerk: Array, tick_ns: int, now_ns: int) -> Array | None:
        """Return the setpoints (N, n) that bring the arm to rest; None: it is not streamed.

        Args:
            deceleration: Of each joint, rad/s².
            jerk: Of each joint, rad/s³.
            tick_ns: Between two setpoints.
            now_ns: The time.
        """
        if len(self._last) < 2 or not self.recent(now_ns):
            return None
        (before, before_ns), (last, last_ns) = self._last
        dt = max(last_ns - before_ns, tick_ns) * 1e-9
        return brake_joints(last, (last - before) / dt, deceleration, jerk, tick_ns * 1e-9)
