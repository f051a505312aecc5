"""Corners: where one move takes over from another inside a zone."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .following import LONGEST_S, SHARPEST, Fault, Follower, turns_beyond
from .hermite import quintic, quintic_at
from .kernels.follow import rough_cells
from .legs import JointLeg, Leg, ToolLeg
from .pieces import corner_piece, corner_turns_back, turns_back

__all__ = ["CORNER_CELLS", "Bend", "round_corner", "zone_parts"]

Array = NDArray[np.float64]

CORNER_CELLS = 24
_NODES: Array = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, CORNER_CELLS + 1))
"""Dense at both seams, where the third derivative jumps."""
SMALLEST = 1e-7
TRIES = 6
HALF = 0.49
"""Corners take at most so much of a leg: a little of it remains between two of them."""


@dataclass(frozen=True, eq=False)
class Bend:
    """A rounded corner: joints from where it leaves one leg to where it meets the next."""

    space: Literal["tool", "joint"]
    before_w: float
    """Where it leaves the leg before, in that leg's measure."""
    after_w: float
    """Where it meets the leg after."""
    x: Array
    """(N,) from 0 to 1; 0.5 is its middle."""
    Q: Array
    """(N, n)."""


def round_corner(before: Leg, after: Leg, follower: Follower) -> Bend | None:
    """Return the rounded corner between two legs; None where only a stop will do.

    The zone is that of `before`, cut to half of each leg. A path that turns back on itself cannot be rounded.
    """
    # The joints of a redundant arm depend on the way they came: through a corner they would not meet the next leg.
    if isinstance(before, ToolLeg) and isinstance(after, ToolLeg) and follower.inverse.closed:
        return _round_tool(before, after, follower)
    return _round_joints(before, after, follower)


def _round_tool(before: ToolLeg, after: ToolLeg, follower: Follower) -> Bend | None:
    zone = before.zone
    a = min(before.piece.reach(zone), after.piece.reach(zone), HALF * before.length, HALF * after.length)
    for _ in range(TRIES):
        if a < SMALLEST:
            return None
        piece = corner_piece(before.piece, after.piece, a)
        if corner_turns_back(piece):
            return None
        start = before.joints_at(np.array([before.length - a]))[0]
        end = after.joints_at(np.array([a]))[0]
        followed = follower.follow(piece, _NODES * piece.length, start)
        if not isinstance(followed, Fault):
            gap = float(np.abs((followed.Q[-1] - end) * follower.weight).max())
            if gap < 1e-6:
                Q = followed.Q
                Q[0], Q[-1] = start, end
                return Bend("tool", before.length - a, a, followed.w / piece.length, Q)
        # Another branch at the exit, or out of reach inside: a smaller corner is nearer to what was programmed.
        a *= 0.5
    return None


def _round_joints(before: Leg, after: Leg, follower: Follower) -> Bend | None:
    corner = before.q_end
    a = min(_joint_reach(before, corner, follower, before, at_end=True), _joint_reach(after, corner, follower, before))
    for _ in range(TRIES):
        if a < SMALLEST:
            return None
        before_w, start = _joint_state(before, a, follower, at_end=True)
        after_w, end = _joint_state(after, a, follower)
        coefficients = quintic(start, end, 2.0 * a)
        x, Q = _sampled(coefficients, follower.weight)
        if turns_back(Q * follower.weight):
            return None
        if _inside(x, Q, corner, before, follower):
            Q[0], Q[-1] = start[0], end[0]
            return Bend("joint", before_w, after_w, x, Q)
        a *= 0.7
    return None


def zone_parts(Q: Array, corner: Array, leg: Leg, follower: Follower) -> Array:
    """Return how far the tool is from the corner, as parts of the zone's radius and turn, the larger."""
    T = follower.tool_poses(np.vstack([corner, Q]))
    way = np.linalg.norm(T[1:, :3, 3] - T[0, :3, 3], axis=1)
    chord = np.linalg.norm(T[1:, :3, :3] - T[0, :3, :3], axis=(1, 2)) / np.sqrt(8.0)
    turn = 2.0 * np.arcsin(np.minimum(chord, 1.0))
    return np.maximum(way / leg.zone.radius_m, turn / leg.zone.turn)


def _inside(x: Array, Q: Array, corner: Array, leg: Leg, follower: Follower) -> bool:
    low, high = follower.arm.limits_lower - 1e-9, follower.arm.limits_upper + 1e-9
    if not ((low <= Q).all() and (high >= Q).all()) or turns_beyond(x, Q, low, high).any():
        return False
    return bool(zone_parts(Q, corner, leg, follower).max() <= 1.0 + 1e-9)


def _joint_reach(leg: Leg, corner: Array, follower: Follower, zone_of: Leg, *, at_end: bool = False) -> float:
    """Return how far from the corner, in joint space, the leg stays in the zone and in its half nearest to it."""
    w = np.linspace(0.0, HALF * leg.length, 33)[1:]
    place = leg.length - w if at_end else w
    Q = leg.joints_at(place) if isinstance(leg, JointLeg) else leg.guess(place)
    part = zone_parts(Q, corner, zone_of, follower)
    away = np.linalg.norm((Q - corner) * follower.weight, axis=1)
    out = part > 1.0
    if not out.any():
        return float(away[-1])
    k = int(np.argmax(out))
    low, low_away = (0.0, 0.0) if k == 0 else (float(part[k - 1]), float(away[k - 1]))
    x = (1.0 - low) / (float(part[k]) - low)
    return low_away + x * (float(away[k]) - low_away)


def _joint_state(
    leg: Leg, a: float, follower: Follower, *, at_end: bool = False
) -> tuple[float, tuple[Array, Array, Array]]:
    """Return the place at joint distance a from an end of the leg: in its measure, and q, q′, q″ by joint distance."""
    weight = follower.weight
    if isinstance(leg, JointLeg):
        w = leg.length - a if at_end else a
        along = (leg.q_end - leg.q_start) / leg.length
        return w, (leg.joints_at(np.array([w]))[0], along, np.zeros(len(along)))
    known = leg.followed
    corner = leg.q_end if at_end else leg.q_start
    away = np.linalg.norm((known.Q - corner) * weight, axis=1)
    from_corner = leg.length - known.w[::-1] if at_end else known.w
    away = np.maximum.accumulate(away[::-1] if at_end else away)
    offset = min(float(np.interp(a, away, from_corner)), 0.5 * leg.length)
    w = leg.length - offset if at_end else offset
    d = 0.01 * offset
    Q = leg.joints_at(w + d * np.arange(-2.0, 3.0))
    q1 = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) @ Q / (12.0 * d)
    q2 = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) @ Q / (12.0 * d**2)
    rate = float(np.linalg.norm(q1 * weight))
    along = q1 / rate
    bend = (q2 - along * float((along * weight) @ (q2 * weight))) / rate**2
    return w, (Q[2], along, bend)


def _sampled(coefficients: Array, weight: Array) -> tuple[Array, Array]:
    x: Array = _NODES
    for _ in range(12):
        Q = quintic_at(coefficients, x)
        parts = np.empty(len(x) - 1, dtype=np.int64)
        if rough_cells(Q, weight, LONGEST_S, SHARPEST, parts) == 0:
            break
        places = np.arange(len(x)) + np.append(0, np.cumsum(parts - 1))
        x = np.asarray(np.interp(np.arange(int(places[-1]) + 1), places, x), dtype=np.float64)
    return x, quintic_at(coefficients, x)
