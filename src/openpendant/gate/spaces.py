"""Space: a box that the tool's point may not leave, or may not enter."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.spatial import check_transform

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Space:
    """A box for the tool's point: it stays inside one of those that are allowed, and outside all that are forbidden."""

    low: NDArray[np.float64]
    """(3,): corner, metres."""
    high: NDArray[np.float64]
    T_base_space: NDArray[np.float64]
    """(4, 4): the box's axes in the base of the arm."""
    kind: Literal["allowed", "forbidden"] = "allowed"
    name: str = ""

    def __post_init__(self) -> None:
        """Freeze and check; raises InputError if it is not a box."""
        low, high = (np.array(corner, dtype=np.float64) for corner in (self.low, self.high))
        if low.shape != (3,) or high.shape != (3,) or not (low < high).all():
            raise InputError(f"a space from {low.tolist()} to {high.tolist()}; allowed: two corners, low and high")
        T = check_transform(self.T_base_space, "frame of the space").copy()
        for name, value in (("low", low), ("high", high), ("T_base_space", T)):
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    def outside_m(self, p_base: Array) -> float:
        """Return how far a point is outside the box; inside, minus how far it is from its surface."""
        p = self.T_base_space[:3, :3].T @ (p_base - self.T_base_space[:3, 3])
        beyond = np.maximum(self.low - p, p - self.high)
        deepest = float(beyond.max())
        return deepest if deepest <= 0.0 else float(np.linalg.norm(np.maximum(beyond, 0.0)))


def outside_of(spaces: Sequence[Space], p_base: Array) -> tuple[float, str]:
    """Return how far a point is where it may not be, metres, and where that is, as text; 0 and empty: nowhere."""
    worst, where = 0.0, ""
    allowed = [space.outside_m(p_base) for space in spaces if space.kind == "allowed"]
    if allowed and min(allowed) > 0.0:
        worst, where = min(allowed), "outside the allowed space"
    for space in spaces:
        if space.kind == "forbidden" and -space.outside_m(p_base) > worst:
            worst, where = -space.outside_m(p_base), f"in the forbidden space {space.name}".rstrip()
    return worst, where
