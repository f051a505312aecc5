"""The joint axes of a chain as lines in its base frame at q = 0, and what a closed form asks of them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .chain import Chain

Array = NDArray[np.float64]

EXACT = 1e-9
"""Axes count as parallel, square or meeting within this (radians, metres): a closed form is then exact enough."""


@dataclass(frozen=True)
class AxisLines:
    """Lines in the chain's order, and the flange, all at q = 0 in the base frame."""

    direction: Array
    """(n, 3) unit vectors."""
    point: Array
    """(n, 3) a point of each line."""
    T_base_flange: Array
    tolerance: float
    """What counts as parallel, square or meeting, radians and metres."""

    def parallel(self, i: int, j: int) -> bool:
        """Return whether axes i and j are parallel, in the same or the opposite sense."""
        return float(np.linalg.norm(np.cross(self.direction[i], self.direction[j]))) < self.tolerance

    def square(self, i: int, j: int) -> bool:
        """Return whether axes i and j are at right angles."""
        return abs(float(self.direction[i] @ self.direction[j])) < self.tolerance

    def meeting(self, i: int, j: int) -> Array | None:
        """Return the point where axes i and j meet, or None."""
        normal = np.cross(self.direction[i], self.direction[j])
        square = float(normal @ normal)
        if square < 1e-6:
            return None
        between = self.point[j] - self.point[i]
        if abs(float(between @ normal)) > self.tolerance * square**0.5:
            return None
        along = float(np.cross(between, self.direction[j]) @ normal) / square
        return self.point[i] + along * self.direction[i]


def axis_lines(chain: Chain, tolerance: float = EXACT) -> AxisLines:
    """Return the axes of `chain` at q = 0."""
    T = np.eye(4)
    directions: list[Array] = []
    points: list[Array] = []
    for T_parent_joint, axis in zip(chain.T_parent_joint, chain.axis, strict=True):
        T = T @ T_parent_joint
        directions.append(T[:3, :3] @ axis)
        points.append(T[:3, 3])
    return AxisLines(np.array(directions), np.array(points), T @ chain.T_last_flange, tolerance)


def rotation_about(axis: Array, angle: float) -> Array:
    """Return the (3, 3) rotation about a unit vector (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)
