"""Solver: what every way of inverse kinematics offers."""

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .result import Gap, SingularDistance

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


class Solver(Protocol):
    """Inverse kinematics of one chain, from the flange pose in its base to joints. No checks of q, no labels."""

    @property
    def title(self) -> str:
        """How it solves, as text."""
        ...

    @property
    def branches(self) -> int:
        """How many rows an answer has."""
        ...

    def solve(self, T: ArrayLike, seed: ArrayLike | None = None) -> tuple[Array, Mask]:
        """Return the branches Q (B, n) in the order of q and a mask (B,) of those that exist inside the limits.

        A pose (N, 4, 4) gives (N, B, n) and (N, B), with one seed (n,) or one for each pose (N, n). Rows
        that do not exist are NaN; rows beyond a limit hold numbers under a false mask. Each joint is
        turned by whole turns to where it is nearest to the seed (default: zero) inside its limits.

        Raises:
            InputError: T is not a transform, or the seed has another length or is not finite.
        """
        ...

    def gap(self, T: Array) -> Gap | None:
        """Return by how much the pose is out of the arm's stretch, None where the stretch is not the reason."""
        ...

    def continuous(self, T: Array, Q: Array) -> Mask:
        """Return which of the rows (B, n) that solve T are singular in a way that makes solutions a continuum."""
        ...

    def singular_distances(self, q: Array) -> tuple[SingularDistance, ...]:
        """Return how far the arm is from each kind of singular posture."""
        ...
