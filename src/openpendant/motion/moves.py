"""Moves: what a program asks for, one value per step of the way."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.spatial import check_transform

from .speed import Speed
from .zone import FINE, Zone

Array = NDArray[np.float64]

MAX_SPEED = Speed()


def _read_only(value: Array) -> Array:
    copy = np.array(value)
    copy.setflags(write=False)
    return copy


@dataclass(frozen=True, eq=False)
class MoveJoint:
    """Go to joints; all joints start and stop together, straight in joint space."""

    q_end: Array
    speed: Speed = field(default=MAX_SPEED)
    zone: Zone = field(default=FINE)

    def __post_init__(self) -> None:
        """Freeze the joints."""
        try:
            q = np.array(self.q_end, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise InputError(f"q_end is not an array of numbers: {error}") from None
        if q.ndim != 1 or not np.isfinite(q).all():
            raise InputError(f"q_end is {q.tolist()}; it must be one finite number for each joint")
        object.__setattr__(self, "q_end", _read_only(q))


@dataclass(frozen=True, eq=False)
class MoveLine:
    """Bring the tool to `T_end` (T_base_tool, in the arm's base) on a straight line, turning evenly."""

    T_end: Array
    speed: Speed = field(default=MAX_SPEED)
    zone: Zone = field(default=FINE)
    redundancy: float | None = None
    """For arms of more than six joints: the redundancy joint at the end (radians); None: joints move as little as
    they can."""

    def __post_init__(self) -> None:
        """Freeze the pose."""
        object.__setattr__(self, "T_end", _read_only(check_transform(self.T_end, "T_end")))


@dataclass(frozen=True, eq=False)
class MoveArc:
    """Bring the tool to `T_end` on the circle through where it is, the position of `T_via`, and `T_end`.

    Both poses are T_base_tool in the arm's base. The orientation of `T_via` does not count, as on most
    controllers. `orientation` says in which frame the tool turns evenly from start to end: "path" is
    the frame that goes along the circle (RAPID's default; a tool with the same angle to the circle at both
    ends keeps it all the way), "base" is the arm's base.
    """

    T_via: Array
    T_end: Array
    speed: Speed = field(default=MAX_SPEED)
    zone: Zone = field(default=FINE)
    orientation: Literal["path", "base"] = "path"
    redundancy: float | None = None
    """For arms of more than six joints: the redundancy joint at the end (radians); None: joints move as little as
    they can."""

    def __post_init__(self) -> None:
        """Freeze the poses."""
        object.__setattr__(self, "T_via", _read_only(check_transform(self.T_via, "T_via")))
        object.__setattr__(self, "T_end", _read_only(check_transform(self.T_end, "T_end")))
        if self.orientation not in ("path", "base"):
            raise InputError(f"orientation is {self.orientation!r}; allowed: 'path' or 'base'")


Move = MoveJoint | MoveLine | MoveArc


def as_joints(q: ArrayLike, dof: int, name: str) -> Array:
    """Return q as a fresh (dof,) array.

    Raises:
        InputError: Wrong length or not finite.
    """
    try:
        joints = np.array(q, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers: {error}") from None
    if joints.shape != (dof,) or not np.isfinite(joints).all():
        raise InputError(f"{name} is {joints.tolist()}; allowed: {dof} finite numbers")
    return joints
