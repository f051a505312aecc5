"""Legs: one move each, from programmed point to programmed point, before corners are rounded."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .followed_piece import FollowedPiece, Follower
from .kernels.zones import between_known
from .pieces import ToolPiece
from .speed import Speed
from .zone import Zone

Array = NDArray[np.float64]

JOINT_CELLS = 8
"""Cells of a straight joint leg; the time law divides them further where it needs to."""

_INNER: Array = np.arange(1, JOINT_CELLS) / JOINT_CELLS


@dataclass(frozen=True, eq=False)
class JointLeg:
    """Straight in joint space. Its measure is seconds at the joints' largest velocities (2-norm)."""

    move: int
    speed: Speed
    zone: Zone
    q_start: Array
    q_end: Array
    weight: Array

    @cached_property
    def length(self) -> float:
        """Of the measure."""
        way = (self.q_end - self.q_start) * self.weight
        return math.sqrt(float(way @ way))

    def joints_at(self, w: Array) -> Array:
        """Return the joints (N, n) at each w."""
        return self.q_start + (w / self.length)[:, None] * (self.q_end - self.q_start)

    def between(self, start: float, end: float) -> Array:
        """Return the joints (N, n) of knots between two places of the measure."""
        return self.joints_at(start + (end - start) * _INNER)


@dataclass(frozen=True, eq=False)
class ToolLeg:
    """A line or arc of the tool, followed by the joints."""

    move: int
    speed: Speed
    zone: Zone
    piece: ToolPiece
    followed: FollowedPiece
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
        """Return the joints at each w, between the followed ones.

        Cubics through the four nearest: what is free in a redundant arm is then as smooth as the rest.
        """
        known = self.followed
        result = np.empty((len(w), known.Q.shape[1]))
        between_known(known.w, known.Q, w, result)
        return result

    def between(self, start: float, end: float) -> Array:
        """Return the joints (N, n) of knots between two places of the measure."""
        w, Q = self.followed.w, self.followed.Q
        gap = 0.3 * (w[1:] - w[:-1])
        # A knot close to a seam would make a tiny cell beside a large one.
        inside = np.flatnonzero((w[1:-1] > start + gap[:-1]) & (w[1:-1] < end - gap[1:])) + 1
        if len(inside) < 3:
            return self.joints_at(np.linspace(start, end, 4)[1:-1])
        w, Q = w[inside], Q[inside]
        # The slopes at an end are found from one side only; small cells make them good enough.
        first, last = w[0] - start, end - w[-1]
        ends = np.array([start + 0.1 * first, start + 0.35 * first, end - 0.35 * last, end - 0.1 * last])
        Q_ends = self.joints_at(ends)
        return np.vstack([Q_ends[:2], Q, Q_ends[2:]])


Leg = JointLeg | ToolLeg
