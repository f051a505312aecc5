"""QuadraticProgram: the arrays of the quadratic program, and its solver."""

from collections.abc import Callable
from typing import Any, cast

import daqp  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_solve = cast(Callable[..., tuple[Array, float, int, dict[str, Any]]], daqp.solve)  # pyright: ignore


EDGES = 2
"""Rows after those of obstacles: the edges of what can be reached."""


class QuadraticProgram:
    """min ½ wᵀHw + fᵀw with lower <= (w, A w) <= upper. w = 0 is allowed, so there is an answer."""

    def __init__(self, dof: int) -> None:
        """Make room for `dof` joints and no obstacles."""
        self.H, self.f = np.zeros((dof, dof)), np.zeros(dof)
        self._rooms: dict[int, tuple[Array, Array, Array, NDArray[np.int32]]] = {}
        self.fit(0)

    def fit(self, obstacles: int) -> None:
        """Make room for a number of rows of obstacles."""
        room = self._rooms.get(obstacles)
        if room is None:
            n, rows = len(self.f), obstacles + EDGES
            room = self._rooms[obstacles] = (
                np.zeros((rows, n)),
                np.zeros(n + rows),
                np.zeros(n + rows),
                np.zeros(n + rows, dtype=np.int32),
            )
        self.A, self.upper, self.lower, self._sense = room

    def solve(self) -> tuple[Array, Array]:
        """Return w and its multipliers; where the solver should fail: rest."""
        w, _, flag, info = _solve(self.H, self.f, self.A, self.upper, self.lower, self._sense)
        if flag != 1:
            # Two obstacles may ask for more than is possible; not coming nearer always is.
            np.minimum(self.lower, 0.0, out=self.lower)
            w, _, flag, info = _solve(self.H, self.f, self.A, self.upper, self.lower, self._sense)
        if flag != 1:
            return np.zeros(len(self.f)), np.zeros(len(self.upper))
        return w, info["lam"]
