"""Pieces of the tool's path: rows for the pose kernel, made from poses (T_base_tool)."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.spatial import matrix_from_rotation_vector, rotation_vector_from_matrix

from .hermite import quintic
from .kernels.poses import ARC, CORNER, LINE, ROW, poses
from .kernels.zones import reverses
from .zone import METRES_PER_RADIAN, Zone

Array = NDArray[np.float64]
_ONE = np.eye(4)

TURNS_BACK = -0.9
"""Cosine between two steps of a corner below which it is not a curve."""
HALF_TURN_RAD = 0.1
"""A turn that is so near to 180° is about as long in both directions."""
_POWERS: Array = np.linspace(0.0, 1.0, 25)[:, None] ** np.arange(6)
_MEASURE: Array = np.array([1.0, 1.0, 1.0, METRES_PER_RADIAN, METRES_PER_RADIAN, METRES_PER_RADIAN])


@dataclass(frozen=True, eq=False)
class ToolPiece:
    """A piece of the tool's path over a measure: metres of way, or of turning in RAPID's proportion, the larger."""

    row: Array
    """For the pose kernel."""
    way_m: float
    """Length of the way."""
    turn_rad: float
    """Bound of the angle that the tool turns."""
    arc_rad: float = 0.0
    """Angle of the arc that the way makes."""

    @property
    def length(self) -> float:
        """Of the measure."""
        return float(self.row[1])

    def at(self, w: Array, T_tool_flange: Array = _ONE) -> Array:
        """Return T_base_tool, or T_base_flange where `T_tool_flange` is given, (N, 4, 4) at each w."""
        out = np.empty((len(w), 4, 4))
        poses(self.row, w, T_tool_flange, out)
        return out

    def reach(self, zone: Zone) -> float:
        """Return how long a stretch at an end of the piece stays in the zone, in its measure."""
        way = zone.radius_m * self.length / self.way_m if self.way_m > 0.0 else math.inf
        turn = zone.turn * self.length / self.turn_rad if self.turn_rad > 0.0 else math.inf
        return min(way, turn)


def line_piece(T_start: Array, T_end: Array) -> ToolPiece | None:
    """Return the straight line between two poses, None where they are the same."""
    row = np.zeros(ROW)
    turn = rotation_vector_from_matrix(T_start[:3, :3].T @ T_end[:3, :3])
    way = T_end[:3, 3] - T_start[:3, 3]
    way_m, turn_rad = float(np.linalg.norm(way)), float(np.linalg.norm(turn))
    length = max(way_m, METRES_PER_RADIAN * turn_rad)
    if length < 1e-9:
        return None
    row[0], row[1] = LINE, length
    row[2:11] = T_start[:3, :3].ravel()
    row[11:14] = turn
    row[18:21] = T_start[:3, 3]
    row[21:24] = way
    return ToolPiece(row, way_m, turn_rad)


def arc_piece(T_start: Array, T_via: Array, T_end: Array, orientation: Literal["path", "base"]) -> ToolPiece | None:
    """Return the arc from start through via to end, None where the three points make no circle."""
    p0, p1, p2 = T_start[:3, 3], T_via[:3, 3], T_end[:3, 3]
    u, v = p1 - p0, p2 - p0
    normal = np.cross(u, v)
    area = float(np.linalg.norm(normal))
    size = max(float(np.linalg.norm(u)), float(np.linalg.norm(v)), float(np.linalg.norm(p2 - p1)))
    if area < 1e-6 * size * size or size < 1e-9:
        return None
    centre = p0 + np.cross(float(u @ u) * v - float(v @ v) * u, normal) / (2.0 * area * area)
    normal = normal / area
    first = p0 - centre
    second = np.cross(normal, first)
    angle = math.atan2(float((p2 - centre) @ second), float((p2 - centre) @ first)) % (2.0 * math.pi)
    row = np.zeros(ROW)
    row[0] = ARC
    row[2:11] = T_start[:3, :3].ravel()
    R_carried = T_start[:3, :3]
    if orientation == "path":
        row[14:17], row[17] = normal, angle
        R_carried = matrix_from_rotation_vector(normal * angle) @ R_carried
    turn = _turn_against(rotation_vector_from_matrix(R_carried.T @ T_end[:3, :3]), R_carried.T @ row[14:17])
    row[11:14] = turn
    row[18:21], row[21:24], row[24:27], row[27] = centre, first, second, angle
    way_m = float(np.linalg.norm(first)) * angle
    turn_rad = float(np.linalg.norm(turn)) + float(row[17])
    row[1] = max(way_m, METRES_PER_RADIAN * turn_rad)
    return ToolPiece(row, way_m, turn_rad, angle)


def _turn_against(turn: Array, carried: Array) -> Array:
    """Return a rotation vector; one of half a turn is taken against the axis about which the tool is carried.

    On a half circle with a tool that does not turn, rounding would decide else whether it makes a whole turn.
    """
    angle = float(np.linalg.norm(turn))
    if angle < math.pi - HALF_TURN_RAD or float(turn @ carried) <= 0.0:
        return turn
    return turn * (1.0 - 2.0 * math.pi / angle)


def corner_piece(before: ToolPiece, after: ToolPiece, a: float) -> ToolPiece:
    """Return the curve that leaves `before` at `a` ahead of its end and meets `after` at `a` behind its start.

    Position and orientation have continuous first and second derivatives at both seams.
    """
    R_corner = after.at(np.zeros(1))[0, :3, :3]
    start = _derivatives(before, before.length - a, 1e-3 * a, R_corner)
    end = _derivatives(after, a, 1e-3 * a, R_corner)
    row = np.zeros(ROW)
    row[0], row[1] = CORNER, 2.0 * a
    row[2:11] = R_corner.ravel()
    coefficients = quintic(start, end, 2.0 * a)
    row[11:29] = coefficients[:, 3:].ravel()
    row[29:47] = coefficients[:, :3].ravel()
    rate = before.turn_rad / before.length + after.turn_rad / after.length
    way = before.way_m / before.length + after.way_m / after.length
    return ToolPiece(row, a * way, a * rate)


def corner_turns_back(piece: ToolPiece) -> bool:
    """Return whether a corner reverses nearly on the spot, so that it has hardly any curve."""
    coefficients = np.hstack([piece.row[29:47].reshape(6, 3), piece.row[11:29].reshape(6, 3)])
    return reverses(_POWERS @ coefficients, _MEASURE, TURNS_BACK)


def _derivatives(piece: ToolPiece, w: float, d: float, R_corner: Array) -> tuple[Array, Array, Array]:
    """Return position and rotation vector from the corner (6,), and their derivatives by w."""
    row = piece.row
    if row[0] == LINE:
        # Both ends of a line turn about one axis, which is the same seen from the corner at either of them.
        at_start = w < 0.5 * piece.length
        rate = np.concatenate([row[21:24], row[11:14]]) / piece.length
        x = rate * (w if at_start else w - piece.length)
        x[:3] = row[18:21] + row[21:24] * (w / piece.length)
        return x, rate, np.zeros(6)
    T = piece.at(np.array([w - d, w, w + d]))
    turns = np.array([rotation_vector_from_matrix(R_corner.T @ one[:3, :3]) for one in T])
    x = np.hstack([T[:, :3, 3], turns])
    return x[1], (x[2] - x[0]) / (2.0 * d), (x[2] - 2.0 * x[1] + x[0]) / d**2
