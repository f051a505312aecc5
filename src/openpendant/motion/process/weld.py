"""Weld paths: the tool at a chosen angle to a straight edge or a circle, following it by itself."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.motion.moves import MoveArc, MoveLine
from openpendant.motion.speed import Speed
from openpendant.motion.zone import FINE, Zone
from openpendant.spatial import make_transform, matrix_from_rotation_vector, rotation_z, translation

Array = NDArray[np.float64]

WELD_SPEED = Speed.from_mm_s(10.0)
ARC_ANGLE = 0.5 * math.pi


@dataclass(frozen=True, eq=False)
class WeldPath:
    """Where a weld begins, and the moves along it. Poses are T_base_tool: z points at the work, x along the weld."""

    T_start: Array
    moves: tuple[MoveLine | MoveArc, ...]

    @property
    def T_end(self) -> Array:
        """Where it ends."""
        return self.moves[-1].T_end

    def approach(self, distance_m: float) -> Array:
        """Return the pose before the start, withdrawn along the tool."""
        return self.T_start @ translation(0.0, 0.0, -distance_m)


def weld_edge(
    start: ArrayLike,
    end: ArrayLike,
    normal: ArrayLike,
    *,
    side: Literal["left", "right"] = "right",
    angle: float = math.radians(45.0),
    travel: float = 0.0,
    spin: float = 0.0,
    speed: Speed = WELD_SPEED,
    zone: Zone = FINE,
) -> WeldPath:
    """Return the path along a straight edge.

    Args:
        start: Where the edge begins, in the arm's base, metres.
        end: Where it ends.
        normal: Of the surface that the edge stands on; need not be exactly square to the edge.
        side: Where the tool is, seen along the weld with the normal up.
        angle: Between the tool and the surface, radians; the default leans it by 45°.
        travel: How far the tool leans back against the direction of the weld, radians (dragging; negative pushes).
        spin: Turn about the tool's own axis, radians.
        speed: Along the weld.
        zone: At its end.

    Raises:
        InputError: The points are the same, the normal is along the edge, or an angle is out of range.
    """
    p0, p1 = vector(start, "start"), vector(end, "end")
    along = unit(p1 - p0, "start and end are the same point")
    up = vector(normal, "normal")
    up = unit(up - along * float(up @ along), "the normal lies along the edge")
    out = np.cross(along, up) * (1.0 if side == "right" else -1.0)
    if side not in ("left", "right"):
        raise InputError(f"side is {side!r}; allowed: 'left' or 'right'")
    R = _torch(along, up, out, angle, travel, spin)
    return WeldPath(make_transform(R, p0), (MoveLine(make_transform(R, p1), speed, zone),))


def weld_circle(
    centre: ArrayLike,
    normal: ArrayLike,
    radius_m: float,
    *,
    start: ArrayLike = (1.0, 0.0, 0.0),
    sweep: float = 2.0 * math.pi,
    side: Literal["outside", "inside"] = "outside",
    angle: float = math.radians(45.0),
    travel: float = 0.0,
    spin: float = 0.0,
    keep_spin: bool = True,
    speed: Speed = WELD_SPEED,
    zone: Zone = FINE,
) -> WeldPath:
    """Return the path along a circle, the tool always at the same angle to its plane.

    Args:
        centre: Of the circle, in the arm's base, metres.
        normal: Of its plane.
        radius_m: Of the circle.
        start: Direction from the centre to where the weld begins; only its part in the plane counts.
        sweep: How far round, radians; negative goes the other way.
        side: Whether the tool leans outwards or inwards.
        angle: Between the tool and the plane, radians.
        travel: How far the tool leans back against the direction of the weld, radians.
        spin: Turn about the tool's own axis at the start, radians.
        keep_spin: True: a round torch does not turn about its own axis, so hose and wrist do not wind up.
            False: the tool turns with the circle, as a blade must.
        speed: Along the weld.
        zone: At its end.

    Raises:
        InputError: Radius or sweep out of range, or `start` along the normal.
    """
    middle, up = vector(centre, "centre"), unit(vector(normal, "normal"), "the normal has no length")
    if not 0.0 < radius_m < math.inf:
        raise InputError(f"radius is {radius_m} m; it must be positive")
    if not 0.0 < abs(sweep) <= 4.0 * math.pi:
        raise InputError(f"sweep is {sweep} rad; allowed: up to two turns, and not 0")
    if side not in ("outside", "inside"):
        raise InputError(f"side is {side!r}; allowed: 'outside' or 'inside'")
    first = vector(start, "start")
    first = unit(first - up * float(first @ up), "start lies along the normal")
    along = np.cross(up, first) * math.copysign(1.0, sweep)
    R_start = _torch(along, up, first if side == "outside" else -first, angle, travel, spin)

    def pose(turn: float) -> Array:
        R_turn = matrix_from_rotation_vector(up * turn)
        # The tool's z points down at the plane: turning about it by the same angle takes back the circle's turn.
        R = R_turn @ R_start @ rotation_z(turn if keep_spin else 0.0)
        return make_transform(R, middle + R_turn @ first * radius_m)

    count = math.ceil(abs(sweep) / ARC_ANGLE - 1e-9)
    between = Zone(min(0.001, 0.1 * radius_m))
    turns = [sweep * (i + 1) / count for i in range(count)]
    moves = [
        MoveArc(pose(turn - 0.5 * sweep / count), pose(turn), speed, zone if i == count - 1 else between)
        for i, turn in enumerate(turns)
    ]
    return WeldPath(pose(0.0), tuple(moves))


def _torch(along: Array, up: Array, out: Array, angle: float, travel: float, spin: float) -> Array:
    """Return the orientation of a tool that leans towards `out` by `angle` from the surface."""
    if not 0.0 < angle <= 0.5 * math.pi:
        raise InputError(f"angle is {math.degrees(angle):.1f}°; allowed: above 0° up to 90° from the surface")
    if not abs(travel) < 0.5 * math.pi:
        raise InputError(f"travel is {math.degrees(travel):.1f}°; allowed: less than 90° either way")
    z = -(math.cos(angle) * out + math.sin(angle) * up)
    z = math.cos(travel) * z + math.sin(travel) * along
    x = unit(along - z * float(along @ z), "the tool lies along the weld")
    return np.column_stack([x, np.cross(z, x), z]) @ rotation_z(spin)


def vector(value: ArrayLike, name: str) -> Array:
    """Return three finite numbers, or raise InputError with their name."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not a vector: {error}") from None
    if array.shape != (3,) or not np.isfinite(array).all():
        raise InputError(f"{name} is {array.tolist()}; allowed: three finite numbers")
    return array


def unit(direction: Array, why: str) -> Array:
    """Return a direction of length 1, or raise InputError with why there is none."""
    length = float(np.linalg.norm(direction))
    if length < 1e-9:
        raise InputError(why)
    return direction / length
