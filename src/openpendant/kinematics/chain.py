"""Chain: the geometry of one serial arm, from its base frame to its flange."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Chain"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Chain:
    """A serial chain of single-axis joints. All arrays are read-only.

    `q` everywhere follows the vendor's own counting of axes (`names`). The joints stand in
    the chain, from base to flange, in the order `q[order[0]], q[order[1]], …`; for most arms
    that is 0, 1, 2, …, for ABB's YuMi axis 7 stands between axes 2 and 3.
    """

    names: tuple[str, ...]
    """Joint names in the order of q."""
    order: NDArray[np.int64]
    """order[i] is the index in q that drives the i-th joint counted from the base."""
    T_parent_joint: Array
    """(n, 4, 4): for the i-th joint from the base, its frame at q = 0 in the frame of the joint before it."""
    axis: Array
    """(n, 3): unit axis of the i-th joint from the base, in its own frame."""
    prismatic: NDArray[np.bool_]
    """(n,): True where the i-th joint from the base slides (metres) instead of turning (radians)."""
    T_last_flange: Array
    """(4, 4): the flange in the frame of the last joint."""
    lower: Array
    """(n,): lower limits in the order of q; -inf where the joint turns without end."""
    upper: Array
    """(n,): upper limits in the order of q; +inf where the joint turns without end."""
    dof: int = field(init=False)

    def __post_init__(self) -> None:
        """Freeze the arrays."""
        object.__setattr__(self, "dof", len(self.names))
        for name in ("order", "T_parent_joint", "axis", "prismatic", "T_last_flange", "lower", "upper"):
            value = np.array(getattr(self, name))
            value.setflags(write=False)
            object.__setattr__(self, name, value)
