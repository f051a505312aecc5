"""Corridor: where an arm may be while a program runs on its own controller."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError
from openpendant.messages import bus
from openpendant.motion import Trajectory

from .bus_codec import decode_matrix, encode_matrix

Array = NDArray[np.float64]

STEP_RAD = 0.02
"""Points of a corridor are so near to each other, in every joint."""
TOLERANCE_RAD = 0.06
"""How far from all of them a joint may be: tracking, calibration, and blends that are not flat in joints."""
RUNGS = 8


class Corridor:
    """Checked places of one arm. Any blend inside a zone stays in it."""

    def __init__(self, points: Array, tolerance_rad: float = TOLERANCE_RAD) -> None:
        """Take the points.

        Args:
            points: (M, n) joints that were checked, densely.
            tolerance_rad: How far from the nearest of them any joint may be.

        Raises:
            InputError: No points, or a tolerance that is not positive.
        """
        if points.ndim != 2 or len(points) == 0 or not np.isfinite(points).all():
            raise InputError(f"a corridor has rows of finite joints, (M, n) with M above 0; got {points.shape}")
        if not 0.0 < tolerance_rad < np.inf:
            raise InputError(f"tolerance_rad is {tolerance_rad}; it must be a positive number")
        self.points = points
        self.tolerance_rad = tolerance_rad
        self._near = 0

    def leaves(self, q: Array) -> float:
        """Return how far the worst joint is outside, radians; 0: inside. Cheap while the arm goes along it."""
        around = self.points[max(0, self._near - 20) : self._near + 60]
        near = np.abs(around - q).max(axis=1)
        if near.min() <= self.tolerance_rad:
            self._near = max(0, self._near - 20) + int(near.argmin())
            return 0.0
        far = np.abs(self.points - q).max(axis=1)
        self._near = int(far.argmin())
        return max(0.0, float(far[self._near]) - self.tolerance_rad)

    def encode(self) -> bus.CorridorMessage:
        """Return it as a message of the bus."""
        return bus.CorridorMessage(points=encode_matrix(self.points), tolerance_rad=self.tolerance_rad)

    @classmethod
    def decode(cls, message: bus.CorridorMessage) -> "Corridor":
        """Return the corridor of a message; raises InputError as the constructor."""
        return cls(decode_matrix(message.points, "points of a corridor"), message.tolerance_rad)


@dataclass(frozen=True, eq=False)
class WatchedArm:
    """One more arm that an uploaded program moves, and how it is watched.

    Attributes:
        name: Name of the arm.
        corridor: Checked joints; what leaves them stops the whole job.
        q_start: (n,): joints where the program was checked to begin, radians (metres where a joint slides).
        tcps: Points on the flange, metres, that keep to speed and spaces beside the tool's own.
    """

    name: str
    corridor: Corridor
    q_start: tuple[float, ...]
    tcps: bus.Tcps = ()

    def encode(self) -> bus.UploadedArm:
        """Return it as a message of the bus."""
        return bus.UploadedArm(arm=self.name, corridor=self.corridor.encode(), q_start=self.q_start, tcps=self.tcps)


def corridor_of(trajectories: Iterable[Trajectory]) -> Corridor:
    """Return the corridor of checked trajectories: their paths, and the whole triangle of every corner.

    Raises:
        InputError: There is no trajectory.
    """
    parts: list[Array] = []
    for trajectory in trajectories:
        parts.append(_dense(trajectory.path()[0]))
        for corner in trajectory.corners:
            for share in np.linspace(0.0, 1.0, RUNGS):
                a = corner.q_corner + share * (corner.q_enter - corner.q_corner)
                b = corner.q_corner + share * (corner.q_leave - corner.q_corner)
                parts.append(_dense(np.array([a, b])))
    if not parts:
        raise InputError("a program without moves has no corridor")
    return Corridor(np.concatenate(parts))


def _dense(Q: Array) -> Array:
    """Return Q with straight joint steps between its rows cut so that none is longer than STEP_RAD."""
    steps = np.abs(np.diff(Q, axis=0)).max(axis=1)
    counts = np.maximum(1, np.ceil(steps / STEP_RAD).astype(np.int64))
    rows = [Q[:1]]
    for index, count in enumerate(counts):
        share: Array = np.arange(1.0, float(count) + 1.0)[:, None] / float(count)
        rows.append(Q[index] + share * (Q[index + 1] - Q[index]))
    return np.concatenate(rows)
