"""Blocked: why a program cannot be moved, and where."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

BlockKind = Literal["unreachable", "limit", "jump", "degenerate"]


@dataclass(frozen=True, eq=False)
class Blocked:
    """A move that cannot be executed. `unreachable`: out of reach; `limit`: a joint would pass its limit;

    `jump`: a joint would have to jump, so the line runs through a singular posture; `degenerate`: the
    points make no circle.
    """

    move: int
    """Index of the move."""
    kind: BlockKind
    reason: str
    """A sentence for people."""
    fraction: float = 0.0
    """How far along the move, 0 to 1."""
    joint: str | None = None
    """The joint that is at fault, where one is."""
    q: Array | None = None
    """The last joints before the fault."""
    T: Array | None = None
    """T_base_tool at the fault."""
