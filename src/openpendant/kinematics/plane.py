"""ArmPlane: axes 1 to 3 of an arm whose axes 2 and 3 are parallel and square to axis 1, in the arm's own axes."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .axes import AxisLines

Array = NDArray[np.float64]

SHORTEST_LINK = 1e-4
"""Links shorter than this (metres) are not treated as links: the elbow would be free."""


@dataclass(frozen=True)
class ArmPlane:
    """Own axes: z along axis 1, y along axis 2, origin on axis 1 at the height of axis 2."""

    R_base_own: Array
    origin: Array
    """In the base frame."""
    radius: float
    """x of axis 2."""
    joint_3: Array
    """Axis 3 in own axes."""
    sign_3: float
    """+1 where axis 3 turns in the same sense as axis 2."""

    def own(self, point: Array) -> Array:
        """Return a point of the base frame in own axes."""
        return self.R_base_own.T @ (point - self.origin)


def arm_plane(lines: AxisLines) -> ArmPlane | None:
    """Return the plane of the arm, or None where axes 1 to 3 do not stand as described."""
    if not (lines.square(0, 1) and lines.parallel(1, 2)):
        return None
    z = lines.direction[0]
    # Squared exactly, so that the rotation is orthonormal to the last digit.
    y = lines.direction[1] - (lines.direction[1] @ z) * z
    y = y / np.linalg.norm(y)
    R = np.column_stack([np.cross(y, z), y, z])
    origin = lines.point[0] + ((lines.point[1] - lines.point[0]) @ z) * z
    joint_2 = R.T @ (lines.point[1] - origin)
    joint_3 = R.T @ (lines.point[2] - origin)
    sign_3 = 1.0 if lines.direction[2] @ y > 0.0 else -1.0
    plane = ArmPlane(R, origin, float(joint_2[0]), joint_3, sign_3)
    if math.hypot(joint_3[0] - plane.radius, joint_3[2]) < SHORTEST_LINK:
        return None
    return plane


def direction(vector: Array) -> tuple[float, float]:
    """Return length and angle of a vector of the plane, the angle counted as a turn about y from x."""
    return math.hypot(vector[0], vector[2]), math.atan2(-vector[2], vector[0])


def signed_angle(start: Array, end: Array, axis: Array) -> float:
    """Return the turn about `axis` that brings `start` onto `end`, both square to it."""
    return math.atan2(float(np.cross(start, end) @ axis), float(start @ end))
