"""Chain: the geometry of one serial arm, from its base frame to its flange."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

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
        """Freeze the arrays and check that they belong together."""
        n = len(self.names)
        object.__setattr__(self, "dof", n)
        shapes: dict[str, tuple[str, tuple[int, ...]]] = {
            "order": ("int64", (n,)),
            "T_parent_joint": ("float64", (n, 4, 4)),
            "axis": ("float64", (n, 3)),
            "prismatic": ("bool", (n,)),
            "T_last_flange": ("float64", (4, 4)),
            "lower": ("float64", (n,)),
            "upper": ("float64", (n,)),
        }
        for name, (kind, shape) in shapes.items():
            value = np.array(getattr(self, name), dtype=kind)
            if value.shape != shape:
                raise InputError(f"a chain of {n} joints needs {name} of shape {shape}; got {value.shape}")
            if name in ("T_parent_joint", "axis", "T_last_flange") and not np.isfinite(value).all():
                raise InputError(f"{name} of the chain contains a number that is not finite")
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        self._check()

    def __reduce__(self) -> tuple[type["Chain"], tuple[object, ...]]:
        """Pickle by construction: unpickled arrays would be writable."""
        return Chain, (
            self.names,
            self.order,
            self.T_parent_joint,
            self.axis,
            self.prismatic,
            self.T_last_flange,
            self.lower,
            self.upper,
        )

    def _check(self) -> None:
        if self.dof < 1:
            raise InputError("a chain needs at least one joint")
        if sorted(self.order.tolist()) != list(range(self.dof)):
            raise InputError(f"order {self.order.tolist()} of the chain is not a permutation of 0 … {self.dof - 1}")
        lengths = np.linalg.norm(self.axis, axis=1)
        if np.abs(lengths - 1.0).max() > 1e-9:
            raise InputError(f"the axes of the chain have lengths {lengths.tolist()}; they must be unit vectors")
        for name, low, high in zip(self.names, self.lower.tolist(), self.upper.tolist(), strict=True):
            if not low <= high:
                raise InputError(f"joint {name} has limits {low} … {high}; the lower one must not exceed the upper one")
