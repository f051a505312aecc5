"""GuidedPath: a line or an arc of the tool by its length, for moves that a sensor corrects."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from openpendant.spatial import matrix_from_rotation_vector, rotation_vector_from_matrix

Array = NDArray[np.float64]
LEVER_M = 0.3
"""A path that only turns is as long as a point on this lever goes."""
SHORTEST_M = 1e-6


@dataclass(frozen=True, eq=False)
class GuidedPath:
    """Where a tool goes.

    Attributes:
        T_start: (4, 4).
        turn: Rotation vector from its start to its end, in the frame of the start.
        length_m: Of the way.
        displacement: (3,) from start to end, of a line.
        centre: (3,) of an arc; None: it is a line.
        axis: (3,) about which an arc turns.
        angle: Of an arc, radians.
    """

    T_start: Array
    turn: Array
    length_m: float
    displacement: Array
    centre: Array | None = None
    axis: Array | None = None
    angle: float = 0.0

    @classmethod
    def line(cls, T_start: Array, T_end: Array) -> Self:
        """Return the straight way between two poses."""
        displacement, turn = T_end[:3, 3] - T_start[:3, 3], _turn(T_start, T_end)
        length = float(np.linalg.norm(displacement))
        if length < SHORTEST_M:
            length = LEVER_M * float(np.linalg.norm(turn))
        return cls(T_start, turn, length, displacement)

    @classmethod
    def arc(cls, T_start: Array, T_via: Array, T_end: Array) -> Self | None:
        """Return the way on a circle through a third pose; None: the three are on a line."""
        a, b = T_via[:3, 3] - T_start[:3, 3], T_end[:3, 3] - T_start[:3, 3]
        normal = np.cross(a, b)
        size = float(normal @ normal)
        if size < (SHORTEST_M * max(float(np.linalg.norm(a)), float(np.linalg.norm(b)))) ** 2:
            return None
        centre = T_start[:3, 3] + (np.cross(normal, a) * (b @ b) + np.cross(b, normal) * (a @ a)) / (2.0 * size)
        axis = normal / math.sqrt(size)
        from_start, to_end = T_start[:3, 3] - centre, T_end[:3, 3] - centre
        angle = math.atan2(float(axis @ np.cross(from_start, to_end)), float(from_start @ to_end)) % math.tau
        length = angle * float(np.linalg.norm(from_start))
        return cls(T_start, _turn(T_start, T_end), length, b, centre, axis, angle)

    def at(self, s_m: float) -> Array:
        """Return the pose after a part of the way."""
        share = s_m / self.length_m if self.length_m > 0.0 else 1.0
        T = self.T_start.copy()
        T[:3, :3] = T[:3, :3] @ matrix_from_rotation_vector(share * self.turn)
        if self.centre is None or self.axis is None:
            T[:3, 3] += share * self.displacement
        else:
            R = matrix_from_rotation_vector(share * self.angle * self.axis)
            T[:3, 3] = self.centre + R @ (self.T_start[:3, 3] - self.centre)
        return T

    def along(self, s_m: float) -> Array:
        """Return the direction of the way there, as a unit vector; zeros where the tool only turns."""
        if self.centre is not None and self.axis is not None:
            across = self.at(s_m)[:3, 3] - self.centre
            return np.cross(self.axis, across) / np.linalg.norm(across)
        size = float(np.linalg.norm(self.displacement))
        return self.displacement / size if size > SHORTEST_M else np.zeros(3)

    def nearest(self, place: Array) -> float:
        """Return how far along the way the point next to a place is."""
        if self.centre is not None and self.axis is not None:
            start, across = self.T_start[:3, 3] - self.centre, place - self.centre
            angle = math.atan2(float(self.axis @ np.cross(start, across)), float(start @ across)) % math.tau
            # Beyond the ends the nearer one counts.
            over = angle - self.angle
            s_m = (0.0 if over > 0.5 * (math.tau - self.angle) else angle) * float(np.linalg.norm(start))
        else:
            s_m = float((place - self.T_start[:3, 3]) @ self.along(0.0))
        return min(max(s_m, 0.0), self.length_m)


def _turn(T_start: Array, T_end: Array) -> Array:
    return rotation_vector_from_matrix(T_start[:3, :3].T @ T_end[:3, :3])
