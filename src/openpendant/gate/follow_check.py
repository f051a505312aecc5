"""Following: whether an arm is where it was sent a moment ago."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .facts import GateFacts
from .kernels.off_track import farthest_off

Array = NDArray[np.float64]

STATE_TOO_OLD_NS = 250_000_000
"""A state older than this says nothing about an arm."""


class OffTrack(NamedTuple):
    """A joint that does not follow."""

    joint: int
    off_rad: float
    """How far it is from where it was sent last."""
    most_rad: float
    """How far it might be."""


class Following:
    """Keeps what was sent of late, tick by tick.

    A measured joint must lie between the places it was sent to in the last `following_s`, and in the time by which its
    state is old; `following_rad` outside of them at most. Ticks that came late, or not at all, change nothing: counted
    is what was sent.
    """

    def __init__(self, facts: GateFacts, tick_s: float) -> None:
        """Begin with nothing sent."""
        self._rad, self._seconds, self._tick_s = facts.following_rad, facts.following_s, tick_s
        self._rows = np.zeros((self._ticks_of(STATE_TOO_OLD_NS * 1e-9), facts.chain.dof))
        self._count = 0
        self._late_s = 0.0
        self._out = np.zeros(2)

    def begin(self, q: Array, rest: Array) -> None:
        """Note that the arm begins at q, and where the motion before this one would have come to rest.

        Where that was not sent to its end, because nothing could be sent for a while, the arm is still on its way to q,
        and may shoot past it by as much as a stop takes.
        """
        if self._count and not np.array_equal(q, rest):
            self.note(rest)
            self._late_s = STATE_TOO_OLD_NS * 1e-9
        self.note(q)

    def note(self, q: Array) -> None:
        """Note what is sent at this tick."""
        self._rows[self._count % len(self._rows)] = q
        self._count += 1

    def check(self, measured: Array, age_ns: int) -> OffTrack | None:
        """Return which joint does not follow, by a state of this age; None: the arm follows."""
        # What a controller was late with comes at once when it continues, and the arm catches up a little later.
        self._late_s = max(1e-9 * min(max(age_ns, 0), STATE_TOO_OLD_NS), self._late_s - self._tick_s)
        count = min(self._ticks_of(self._late_s), self._count)
        if count == 0:
            return None
        newest = (self._count - 1) % len(self._rows)
        joint = int(farthest_off(self._rows, newest, count, measured, self._rad, self._out))
        return None if joint < 0 else OffTrack(joint, float(self._out[0]), float(self._out[1]))

    def _ticks_of(self, late_s: float) -> int:
        return 1 + math.ceil((self._seconds + late_s) / self._tick_s - 1e-9)
