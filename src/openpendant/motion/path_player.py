"""PathPlayer: a trajectory on its way to an arm, row by row; it can slow down, stop on its path and continue."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from .pace import Pacing
from .path_stop import stop_along
from .trajectory import Trajectory

Array = NDArray[np.float64]

RAMPS_S = (0.2, 0.3, 0.4, 0.6, 0.8, 1.2, 1.6)
"""How long a change of speed may take; the first that keeps the limits is taken."""
WITHIN = 1.0 + 1e-6


class PathSink(Protocol):
    """Where the rows of a path go, one at each tick."""

    @property
    def tick_s(self) -> float:
        """Between two rows, seconds."""
        ...

    @property
    def done(self) -> int:
        """Rows of the present or last path that have been made."""
        ...

    @property
    def finished(self) -> bool:
        """Whether all of them have."""
        ...

    def follow(self, pacing: Pacing) -> None:
        """Begin a path; one that is under way is replaced at the next tick."""
        ...


class PathPlayer:
    """Sends a trajectory to an arm, tick by tick.

    A law is gone through at a pace: 1 is as it was planned, 0.5 is half as fast.
    """

    def __init__(self, trajectory: Trajectory, sink: PathSink, speed: float) -> None:
        """Begin at the next tick.

        Args:
            trajectory: From where the arm rests.
            sink: Takes the rows.
            speed: Override, above 0 up to 1.
        """
        self.stopping = False
        """Whether it brakes, or rests on its path."""
        self._whole = trajectory
        self._sink = sink
        self._speed = speed
        self._dt = sink.tick_s
        self._play(trajectory, speed)

    @property
    def at_rest(self) -> bool:
        """Whether everything that was sent has been done."""
        return self._sink.finished

    @property
    def done(self) -> bool:
        """Whether it has arrived."""
        return self.at_rest and not self.stopping

    @property
    def place(self) -> float:
        """Where on its path it is, as s of the trajectory."""
        return self._law.place_at(self._now()[0])

    def stop(self) -> None:
        """Come to rest on the path."""
        if self.stopping or self.at_rest:
            return
        t, pace = self._now()
        self.stopping = True
        self._play(stop_along(self._law.slow_down(pace), t / pace), 1.0)

    def rest_here(self) -> None:
        """Take it that the arm has come to rest where it is on its path; `resume` begins from rest there."""
        self.stopping = True

    def resume(self) -> None:
        """Continue along the path after a stop."""
        if self.stopping:
            self.stopping = False
            t = self._whole.time_of(self.place)
            self._law = self._whole
            self._change(t, 0.0, self._speed)

    def set_speed(self, speed: float) -> None:
        """Continue at another override; the change is spread so that no limit is passed."""
        before, self._speed = self._speed, speed
        if speed != before and not self.stopping and not self.at_rest:
            self._change(*self._now(), speed)

    def _change(self, t: float, pace: float, wanted: float) -> None:
        """Continue from the time t of the law, with a pace that changes as fast as the limits allow."""
        best: tuple[float, Pacing] | None = None
        for ramp_s in RAMPS_S:
            ramp = _ramp(pace, wanted, max(1, round(ramp_s / self._dt)))
            pacing = Pacing(self._law, t, ramp, wanted, self._dt)
            # The planned law keeps the limits at every steady pace: only the change itself is checked.
            worst = self._worst(t, pacing.times(0, len(ramp) + 3))
            if best is None or worst < best[0]:
                best = (worst, pacing)
            if worst <= WITHIN:
                break
        if best is not None:
            self._send(best[1])

    def _now(self) -> tuple[float, float]:
        """Return the time on the present law, and the pace."""
        return self._pacing.at(self._sink.done)

    def _play(self, law: Trajectory, pace: float) -> None:
        """Go through a law from its start at a steady pace."""
        self._law = law
        self._send(Pacing(law, 0.0, np.zeros(0), pace, self._dt))

    def _worst(self, t: float, times: Array) -> float:
        """Return the largest ratio of velocity, acceleration or jerk to its limit, from tick to tick."""
        Q = self._law.samples_at(np.append(t, times)).q
        limits = self._law.limits
        worst = 0.0
        for order, limit in ((1, limits.velocity), (2, limits.acceleration), (3, limits.jerk)):
            if len(Q) > order:
                ratio = np.abs(np.diff(Q, n=order, axis=0)) / self._dt**order / limit
                worst = max(worst, float(ratio.max()))
        return worst

    def _send(self, pacing: Pacing) -> None:
        self._pacing = pacing
        self._sink.follow(pacing)


def _ramp(pace: float, wanted: float, ticks: int) -> Array:
    """Return the pace of every tick while it changes smoothly."""
    x = (np.arange(ticks) + 0.5) / ticks
    return pace + (wanted - pace) * (10.0 * x**3 - 15.0 * x**4 + 6.0 * x**5)
