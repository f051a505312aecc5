"""Which of the eight ways an arm stands: signs worked out from the geometry alone.

A sign changes only where the arm passes through a singularity, so the three together name a
branch of inverse kinematics. What does not depend on q is worked out once, at construction,
since a label is wanted for every solution of every pose.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from openpendant.kinematics import Chain

Array = NDArray[np.float64]
Planar = tuple[float, float]
"""Metres (ahead, up) in the plane that turns with axis 1: up is along axis 1, ahead the way to which a
positive turn of axis 2 brings what stands up."""
TOLERANCE = 1e-6
ZERO = 1e-9
"""Signs of numbers smaller than this are rounding; such a posture is singular and counts as positive."""


class Posture(NamedTuple):
    """Three numbers of which the signs count."""

    shoulder: float
    """Spherical wrist: the wrist point is ahead of axis 1. Offset wrist: the arm's plane is left of the line to it."""
    elbow: float
    """The wrist point is ahead of the upper arm."""
    wrist: float
    """Spherical wrist: axis 5 is positive. Offset wrist: the wrist steps outward."""


@dataclass(frozen=True)
class SphericalWrist:
    """An arm whose axes 2 and 3 are parallel and across axis 1, and whose last three axes meet in a point."""

    shoulder: float
    """How far ahead of axis 1 axis 2 is, in metres."""
    upper: Planar
    """From axis 2 to axis 3, at zero."""
    fore: Planar
    """From axis 3 to the wrist point, at zero."""
    straight: float
    """Axis 5 where axes 4 and 6 point the same way."""

    def posture(self, q: Array) -> Posture:
        """Return the signs at `q`."""
        fore = _turned(self.fore, float(q[2]))
        wrist = _turned((self.upper[0] + fore[0], self.upper[1] + fore[1]), float(q[1]))
        return Posture(
            shoulder=self.shoulder + wrist[0],
            elbow=_cross(fore, self.upper),
            wrist=math.sin(float(q[4]) - self.straight),
        )


@dataclass(frozen=True)
class OffsetWrist:
    """An arm whose axes 2, 3 and 4 are parallel and across axis 1, while axes 5 and 6 cross: the UR family."""

    shoulder: float
    """How far ahead of axis 1 axis 2 is, in metres."""
    upper: Planar
    fore: Planar
    hand: Planar
    """From axis 4 to where axes 5 and 6 cross, at zero."""
    side: float
    """+1 where the arm's plane lies on the positive side of axis 2, else -1."""
    straight: float
    """Axis 5 where axes 4 and 6 point the same way."""
    outward: float
    """+1 where a bend of axis 5 above zero steps outward, for an arm that reaches ahead with its tool down."""

    def posture(self, q: Array) -> Posture:
        """Return the signs at `q`; elbow and wrist as seen from where the arm reaches to."""
        q3, q4 = float(q[2]), float(q[3])
        fore = _turned(self.fore, q3)
        hand = _turned(self.hand, q3 + q4)
        reach = (self.upper[0] + fore[0] + hand[0], self.upper[1] + fore[1] + hand[1])
        ahead = self.shoulder + _turned(reach, float(q[1]))[0]
        facing = 1.0 if ahead > -ZERO else -1.0
        return Posture(
            shoulder=self.side * ahead,
            elbow=facing * _cross(fore, self.upper),
            wrist=facing * self.outward * math.sin(float(q[4]) - self.straight),
        )


def spherical_wrist(chain: Chain) -> SphericalWrist | None:
    """Return the geometry of an arm with a spherical wrist, or None if the chain is not such an arm."""
    if not _six_turning(chain):
        return None
    p, a = _axes_at_zero(chain)
    wrist = _crossing(p[3], a[3], p[4], a[4])
    if wrist is None or _distance(wrist, p[5], a[5]) > TOLERANCE:
        return None
    if not (_parallel(a[1], a[2]) and _across(a[0], a[1])):
        return None
    plane = _plane(a)
    return SphericalWrist(
        shoulder=_in(plane, p[1] - p[0])[0],
        upper=_in(plane, p[2] - p[1]),
        fore=_in(plane, wrist - p[2]),
        straight=_angle(a[5], a[3], a[4]),
    )


def offset_wrist(chain: Chain) -> OffsetWrist | None:
    """Return the geometry of an arm of the UR kind, or None if the chain is not such an arm."""
    if not _six_turning(chain):
        return None
    p, a = _axes_at_zero(chain)
    cross = _crossing(p[4], a[4], p[5], a[5])
    if cross is None or not (_parallel(a[1], a[2]) and _parallel(a[2], a[3])):
        return None
    if not (_across(a[0], a[1]) and _across(a[3], a[4])):
        return None
    plane = _plane(a)
    T_flange = np.eye(4)
    for T in chain.T_parent_joint:
        T_flange = T_flange @ T
    tool = math.copysign(1.0, float((T_flange @ chain.T_last_flange)[:3, 2] @ a[5]))
    step = math.copysign(1.0, float((cross - p[3]) @ a[4]))
    return OffsetWrist(
        shoulder=_in(plane, p[1] - p[0])[0],
        upper=_in(plane, p[2] - p[1]),
        fore=_in(plane, p[3] - p[2]),
        hand=_in(plane, cross - p[3]),
        side=math.copysign(1.0, float((cross - p[0]) @ a[1])),
        straight=_angle(a[5], a[1], a[4]),
        # With the tool down and axis 5 bent by +90°, axis 5 points backwards where the tool is along axis 6.
        outward=-step * tool,
    )


def _six_turning(chain: Chain) -> bool:
    return chain.dof == 6 and not chain.prismatic.any() and list(chain.order) == list(range(6))


def _axes_at_zero(chain: Chain) -> tuple[Array, Array]:
    """Return a point on each axis and its unit direction, in the base, all joints at zero."""
    T = np.eye(4)
    points, directions = np.zeros((chain.dof, 3)), np.zeros((chain.dof, 3))
    for i in range(chain.dof):
        T = T @ chain.T_parent_joint[i]
        points[i], directions[i] = T[:3, 3], T[:3, :3] @ chain.axis[i]
    return points, directions


def _plane(a: Array) -> tuple[Array, Array]:
    return _across_both(a[1], a[0]), a[0]


def _in(plane: tuple[Array, Array], v: Array) -> Planar:
    return float(v @ plane[0]), float(v @ plane[1])


def _angle(source: Array, target: Array, axis: Array) -> float:
    """Return by how much `source` must turn about `axis` to point along `target`."""
    return math.atan2(float(axis @ _across_both(source, target)), float(source @ target))


def _parallel(a: Array, b: Array) -> bool:
    return float(np.linalg.norm(a - b)) < TOLERANCE


def _across(a: Array, b: Array) -> bool:
    return abs(float(a @ b)) < TOLERANCE


def _crossing(p: Array, a: Array, r: Array, b: Array) -> Array | None:
    """Return where two lines cross, or None where they do not."""
    n = _across_both(a, b)
    square = float(n @ n)
    if square < TOLERANCE or abs(float((r - p) @ n)) > TOLERANCE * math.sqrt(square):
        return None
    return p + a * (float(_across_both(r - p, b) @ n) / square)


def _distance(point: Array, p: Array, a: Array) -> float:
    return float(np.linalg.norm(_across_both(point - p, a)))


def _across_both(a: Array, b: Array) -> Array:
    """Return the cross product; numpy's own carries no types."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def _turned(v: Planar, angle: float) -> Planar:
    c, s = math.cos(angle), math.sin(angle)
    return v[0] * c + v[1] * s, v[1] * c - v[0] * s


def _cross(a: Planar, b: Planar) -> float:
    """Above zero where `b` must turn forwards (up to ahead) to point along `a`."""
    return a[0] * b[1] - a[1] * b[0]
