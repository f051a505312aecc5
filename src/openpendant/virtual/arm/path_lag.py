"""PathLag: the arm follows the law of its path as a mean over time, so that accelerations rise and fall along the path.

A mean of places keeps the path, corners too; a mean of joints would cut them. The planner limits jerk the same way.

Source: L. Biagiotti and C. Melchiorri, FIR filters for online trajectory planning with time- and frequency-domain
specifications, Control Engineering Practice 20(12), 2012.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
POWERS = np.arange(6)


class PathLag:
    """The last places of the law, and where the arm is: at their mean.

    Attributes:
        on: Whether there is a lag at all.
        delay_s: By how much it lengthens every move.
        law: (2, n): joints and velocities where the law is.
        place: Where the arm is, s of the path.
        cell: Cell of the path in which that is.
    """

    def __init__(self, dof: int, tick_s: float, rise_s: float) -> None:
        """Begin at the start of a path.

        Args:
            dof: Joints.
            tick_s: Length of a tick.
            rise_s: Time that the mean is over; less than two ticks: there is no lag.
        """
        count = max(1, round(rise_s / tick_s))
        self.on = count > 1
        self.delay_s = (count - 1) * tick_s
        self.law = np.zeros((2, dof))
        self._tick_s = tick_s
        self._places = np.zeros(count)
        self._at = 0
        self.place = self._rate = 0.0
        self._dropped = False
        self.cell = 0

    @property
    def level(self) -> bool:
        """Whether the arm is where the law is, at rest."""
        return bool((self._places == self._places[0]).all()) and self.place == self._places[0]

    def begin(self, q: Array) -> None:
        """Be at the start of a path, at rest at q."""
        self.law[0], self.law[1], self._places[:] = q, 0.0, 0.0
        self.place, self._rate, self.cell, self._dropped = 0.0, 0.0, 0, False

    def drop(self, state: Array) -> None:
        """Let the law continue from where the arm is, as fast as the arm is; until it rests there is no lag."""
        if not self._dropped and not self.level:
            state[0], state[1], state[2] = self.place, self._rate, self.cell
            self._dropped = True

    def follow(self, knots: Array, cells: Array, state: Array, raw: Array) -> None:
        """Let a tick pass; write joints and velocities of the arm into `raw`.

        Args:
            knots: Of the path.
            cells: Of the path.
            state: Of the law: s and its rate come first.
            raw: (2, n).
        """
        place = float(state[0])
        if self._dropped:
            self._places[:] = self.place = place
            self._rate = float(state[1])
            self._dropped = self._rate > 0.0
        else:
            self._at = (self._at + 1) % len(self._places)
            before = self.place
            self._places[self._at] = place
            # A mean about one of its values keeps all digits at rest.
            self.place = place + float((self._places - place).sum()) / len(self._places)
            self._rate = (self.place - before) / self._tick_s
        last = len(cells) - 1
        self.cell = min(max(int(np.searchsorted(knots, self.place, side="right")) - 1, 0), last)
        x = self.place - float(knots[self.cell])
        powers = x**POWERS
        raw[0] = powers @ cells[self.cell]
        raw[1] = (POWERS[1:] * powers[:-1]) @ cells[self.cell, 1:] * self._rate

    def shift(self, place: float, cell: int) -> None:
        """Be at a place of another path on which the same joints have other places."""
        self._places += place - self.place
        self.place, self.cell = place, cell
