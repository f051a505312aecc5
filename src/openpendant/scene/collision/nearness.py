"""What a collision world answers: nearest pair, clearance of a path, collision on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.said import Said, say


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Two things and how near they are to each other."""

    distance_m: float
    """Negative where they overlap; infinite where there is nothing to be near to."""
    a: str
    """What moves: robot/link, or the name of a carried part."""
    b: str
    """The other: an object's name, robot/link, or a carried part."""
    point_a: NDArray[np.float64]
    """(3,): in the world, on a; where they overlap, somewhere in the overlap."""
    point_b: NDArray[np.float64]
    """(3,): in the world, on b."""
    margin_m: float = 0.0
    """How near they may come."""

    @property
    def too_near(self) -> bool:
        """Whether they are nearer than allowed; touching counts."""
        return self.distance_m <= self.margin_m

    @property
    def said(self) -> Said:
        """How near they are."""
        if not np.isfinite(self.distance_m):
            return say("check.none_near")
        if self.distance_m <= 0.0:
            return say("check.touches", a=self.a, b=self.b)
        return say("check.near", a=self.a, b=self.b, distance_mm=1000.0 * self.distance_m)

    def __str__(self) -> str:
        """Say it as text."""
        return str(self.said)


@dataclass(frozen=True, slots=True, eq=False)
class Contact:
    """Two things that overlap."""

    a: str
    b: str
    depth_m: float
    """How far one must be moved out of the other."""
    point: NDArray[np.float64]
    """(3,): in the world, in the middle of the overlap."""
    normal: NDArray[np.float64]
    """(3,): unit, from a to b."""


@dataclass(frozen=True, slots=True, eq=False)
class Clearance:
    """A path on which everything keeps its distance."""

    nearest: Nearest
    """The nearest pair of the whole path."""
    at_least_m: float
    """No distance on the path is smaller than this."""
    index: int
    """The vertex of the path before the nearest place."""
    fraction: float
    """From there to the next vertex, 0 to 1."""
    looked_at: int
    """How many configurations had to be checked."""


@dataclass(frozen=True, slots=True, eq=False)
class Collision:
    """A path on which something comes too near, and where that begins."""

    nearest: Nearest
    """The pair, there."""
    index: int
    """The vertex of the path before it."""
    fraction: float
    """From there to the next vertex, 0 to 1."""
    q: NDArray[np.float64]
    """(n,) the joints there, as the path gave them."""
    looked_at: int

    @property
    def said(self) -> Said:
        """What touches or comes too near."""
        near = self.nearest
        if near.distance_m <= 1e-4:
            return say("check.touches", a=near.a, b=near.b)
        distance_mm, margin_mm = 1000.0 * near.distance_m, 1000.0 * near.margin_m
        return say("check.too_near", a=near.a, b=near.b, distance_mm=distance_mm, margin_mm=margin_mm)

    def __str__(self) -> str:
        """Say it as text."""
        return str(self.said)
