"""Stream: the rows of a sampled path, each at its time."""

import numpy as np
from numpy.typing import NDArray

from openpendant.controllers.stop_motion import brake_along
from openpendant.errors import InputError

Array = NDArray[np.float64]

LATE_NS = 300_000_000
"""A caller that is later than this has lost the path."""
SLIP_NS = 20_000_000
"""A caller that is later than this finds the path where it left it; up to this, rows are made up for."""
MOST_ROWS = 2
"""At one look: rows are never jumped over, so the arm is never asked for more than twice its speed."""
ARRIVED_RAD = 0.002
ARRIVED_RAD_S = 0.01
ARRIVE_WITHIN_NS = 1_500_000_000


class Stream:
    """Goes through rows by the clock of the caller."""

    def __init__(self, Q: Array, tick_ns: int, before: Array, *, braking: bool = False) -> None:
        """Begin at the next look.

        Args:
            Q: (N, n): rows, one for each tick.
            tick_ns: Between rows.
            before: (n,): the setpoint before the first row.
            braking: Whether this is the way to rest of another stream.
        """
        self.Q = Q
        self.braking = braking
        self.sent = 0
        """Rows that have been given out."""
        self._tick_ns = tick_ns
        self._before = before
        self._next_ns: int | None = None

    @property
    def done(self) -> bool:
        """Whether the last row has been given out."""
        return self.sent >= len(self.Q)

    def row(self, now_ns: int) -> Array | None:
        """Return the row of this moment; None where the caller came too late and the path is lost."""
        if self._next_ns is None:
            self._next_ns = now_ns
        late = now_ns - self._next_ns
        if late > LATE_NS:
            return None
        rows = min(late // self._tick_ns + 1, MOST_ROWS) if late >= 0 else 0
        self.sent = min(self.sent + rows, len(self.Q))
        self._next_ns = now_ns + self._tick_ns if late > SLIP_NS else self._next_ns + rows * self._tick_ns
        return self.Q[max(self.sent - 1, 0)]

    def brake(self, deceleration: Array, jerk: Array) -> "Stream":
        """Return the way to rest from the row that was given out last, along the same path."""
        known = np.vstack([self._before, self.Q])
        at = self.sent
        rows = np.vstack([known[max(at - 1, 0)], known[at:]])
        ramp = brake_along(rows, deceleration, jerk, self._tick_ns * 1e-9) if at else known[:1]
        return Stream(ramp, self._tick_ns, known[at], braking=True)

    def arrived(self, q: Array, qd: Array, now_ns: int) -> bool:
        """Return whether the arm rests at the last row; after a while it counts as arrived where it rests."""
        if not self.done or self._next_ns is None:
            return False
        late = now_ns - self._next_ns > ARRIVE_WITHIN_NS
        near = float(np.abs(q - self.Q[-1]).max()) < ARRIVED_RAD and float(np.abs(qd).max()) < ARRIVED_RAD_S
        return near or late


def check_rows(Q: Array, lower: Array, upper: Array, jump: float) -> None:
    """Refuse rows that cannot be followed.

    Args:
        Q: (N, n): the setpoint before the first row, and the rows.
        lower: (n,): limits of the joints, radians.
        upper: (n,): likewise.
        jump: The most that a joint may move from row to row.

    Raises:
        InputError: A row is beyond the limits, or jumps; names the joint.
    """
    beyond = (lower - 1e-6 > Q) | (upper + 1e-6 < Q)
    if beyond.any():
        row, joint = (int(index[0]) for index in np.nonzero(beyond))
        raise InputError(
            f"row {row} of the path brings joint {joint + 1} to {Q[row, joint]:.6g}; "
            f"its limits are {lower[joint]:.6g} to {upper[joint]:.6g}"
        )
    steps = np.abs(np.diff(Q, axis=0))
    if steps.max() > jump:
        row, joint = (int(index) for index in np.unravel_index(int(steps.argmax()), steps.shape))
        raise InputError(f"row {row} of the path makes joint {joint + 1} jump by {steps.max():.3g} rad")
