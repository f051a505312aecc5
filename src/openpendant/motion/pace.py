"""Pacing: when each tick of a trajectory comes while its speed override changes; rows are made as they are needed."""

import math

import numpy as np
from numpy.typing import NDArray

from .trajectory import Trajectory

Array = NDArray[np.float64]


class Pacing:
    """Goes through a trajectory tick by tick: first a change of pace, then a steady pace to its end.

    A pace of 1 is as planned, 0.5 half as fast. However slow it is, only the rows that are asked for are made.
    """

    def __init__(self, law: Trajectory, begin_s: float, change: Array, steady: float, dt: float) -> None:
        """Begin at a time of a trajectory.

        Args:
            law: The trajectory.
            begin_s: Its time at tick 0, before the first row.
            change: (N,) pace of the first ticks; may be empty.
            steady: Pace of all ticks after them, above 0 up to 1.
            dt: Between two ticks, seconds.
        """
        self.law = law
        self._begin, self._steady, self._dt = begin_s, steady, dt
        times = begin_s + np.cumsum(change) * dt
        used = min(len(change), int(np.searchsorted(times, law.duration - 1e-12)) + 1)
        self._times, self._change = np.minimum(times[:used], law.duration), change[:used]
        self._from = float(self._times[-1]) if used else begin_s
        left = law.duration - self._from
        self.count = max(1, used + max(0, math.ceil(left / (steady * dt) - 1e-9)))
        """Rows until the end."""

    def at(self, done: int) -> tuple[float, float]:
        """Return the trajectory's time and the pace after a number of rows."""
        done = min(done, self.count)
        used = len(self._change)
        if done <= 0:
            return self._begin, float(self._change[0]) if used else self._steady
        if done <= used:
            return float(self._times[done - 1]), float(self._change[done - 1])
        return min(self._from + (done - used) * self._steady * self._dt, self.law.duration), self._steady

    def times(self, first: int, last: int) -> Array:
        """Return the trajectory's times of the rows first (0 is the first of all) to before last; at most all."""
        last, used = min(last, self.count), len(self._change)
        steady = np.arange(max(first, used) - used + 1, max(last, used) - used + 1, dtype=np.float64)
        late = np.minimum(self._from + steady * self._steady * self._dt, self.law.duration)
        return np.concatenate([self._times[first : min(last, used)], late])

    def rows(self, first: int, last: int) -> Array:
        """Return the joints (N, n) of the rows first to before last; at most all."""
        return self.law.samples_at(self.times(first, last)).q
