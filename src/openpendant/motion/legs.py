"""Legs: one move each, from programmed point to programmed point, before corners are rounded."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .following import Followed, Follower
from .pieces import ToolPiece
from .speed import Speed
from .zone import Zone

__all__ = ["JointLeg", "Leg", "ToolLeg"]

Array = NDArray[np.float64]

JOINT_CELLS = 8
"""Cells of a straight joint leg; the time law divides them further where it needs to."""


@dataclass(frozen=True, eq=False)
class JointLeg:
    """Straight in joint space. Its measure is seconds at the joints' largest velocities (2-norm)."""

    move: int
    speed: Speed
    zone: Zone
    q_start: Array
    q_end: Array
    weight: Array

    @property
    def length(self) -> float:
        """Of the measure."""
        return float(np.linalg.norm((self.q_end - self.q_start) * self.weight))

    def joints_at(self, w: Array) -> Array:
        """Return the joints (N, n) at each w."""
        return self.q_start + np.outer(w / self.length, self.q_end - self.q_start)

    def knots(self, start: float, end: float) -> Array:
        """Return places between two places of the measure where the joint path needs a knot."""
        return np.linspace(start, end, JOINT_CELLS + 1)[1:-1]


@dataclass(frozen=True, eq=False)
class ToolLeg:
    """A line or arc of the tool, followed by the joints."""

    move: int
    speed: Speed
    zone: Zone
    piece: ToolPiece
    followed: Followed
    follower: Follower

    @property
    def length(self) -> float:
        """Of the measure."""
        return self.piece.length

    @property
    def q_start(self) -> Array:
        """Joints at the start."""
        return self.followed.Q[0]

    @property
    def q_end(self) -> Array:
        """Joints at the end."""
        return self.followed.Q[-1]

    def joints_at(self, w: Array) -> Array:
        """Return the joints (N, n) at each w."""
        near = self.guess(w)
        found = self.follower.near(self.piece, w, near)
        return near if found is None else found

    def guess(self, w: Array) -> Array:
        """Return the joints at each w, between the followed ones."""
        known = self.followed
        return np.column_stack([np.interp(w, known.w, known.Q[:, j]) for j in range(known.Q.shape[1])])

    def knots(self, start: float, end: float) -> Array:
        """Return places between two places of the measure where the joint path needs a knot."""
        w = self.followed.w
        inside = w[(w > start) & (w < end)]
        # A place close before a seam would make a tiny cell beside a large one.
        gap = 0.25 * float(np.max(np.diff(w)))
        kept = inside[(inside > start + gap) & (inside < end - gap)]
        return kept if len(kept) > 1 else np.linspace(start, end, 5)[1:-1]


Leg = JointLeg | ToolLeg


def seam_offsets(first: float, spacing: float) -> Array:
    """Return growing distances from a seam, so that fine cells in a corner meet coarse ones gently."""
    count = max(0, math.floor(math.log2(max(spacing / max(first, 1e-15), 1.0))))
    return first * (2.0 ** np.arange(1, count + 1) - 1.0)
