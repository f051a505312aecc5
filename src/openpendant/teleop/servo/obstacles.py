"""Obstacles: what is near the links of an arm, for the servo to slide along."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["NOTHING_NEAR", "Obstacles"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Obstacles:
    """The nearest points of links and obstacles, one row for each pair."""

    rows: NDArray[np.float64]
    """(K, 8): distance in metres (less the obstacle's margin), the point on the link (3, world), the unit direction
    from the obstacle to the link (3, world), and the joint that carries the link, counted from the base (0 …)."""
    names: Sequence[str] = field(default=())
    """What each row is near to."""


NOTHING_NEAR = Obstacles(np.zeros((0, 8)))
