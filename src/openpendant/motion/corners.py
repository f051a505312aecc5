"""Corners: where one move takes over from another inside a zone."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from .followed_piece import LONGEST_S, SHARPEST, Follower, FollowFault
from .kernels.zones import (
    bend_through,
    largest_part,
    offset_at,
    reach_in_zone,
    reverses,
    state_on_leg,
    turns_past,
)
from .legs import JointLeg, Leg, ToolLeg
from .limits import TOUCH
from .pieces import TURNS_BACK, corner_piece, corner_turns_back
from .zone import Zone

Array = NDArray[np.float64]

CORNER_CELLS = 24
_NODES: Array = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, CORNER_CELLS + 1))
"""Dense at both seams, where the third derivative jumps."""
_PARTS: Array = np.linspace(0.0, 1.0, 33)[1:]
_AROUND: Array = np.arange(-2.0, 3.0)
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
        if not isinstance(followed, FollowFault):
            gap = float(np.abs((followed.Q[-1] - end) * follower.weight).max())
            if gap < 1e-6:
                Q = followed.Q
                Q[0], Q[-1] = start, end
                return Bend("tool", before.length - a, a, followed.w / piece.length, Q)
        # Another branch at the exit, or out of reach inside: a smaller corner is nearer to what was programmed.
        a *= 0.5
    return None


def _round_joints(before: Leg, after: Leg, follower: Follower) -> Bend | None:
    corner, zone = before.q_end, before.zone
    a = min(_joint_reach(before, corner, follower, zone, at_end=True), _joint_reach(after, corner, follower, zone))
    for _ in range(TRIES):
        if a < SMALLEST:
            return None
        before_w, start = _joint_state(before, a, follower, at_end=True)
        after_w, end = _joint_state(after, a, follower)
        x, Q = bend_through(start, end, 2.0 * a, _NODES, follower.weight, LONGEST_S, SHARPEST)
        if reverses(Q, follower.weight, TURNS_BACK):
            return None
        if _inside(x, Q, corner, zone, follower):
            Q[0], Q[-1] = start[0], end[0]
            return Bend("joint", before_w, after_w, x, Q)
        a *= 0.7
    return None


def _inside(x: Array, Q: Array, corner: Array, zone: Zone, follower: Follower) -> bool:
    arm = follower.arm
    if turns_past(x, Q, arm.limits_lower, arm.limits_upper, TOUCH)[0] >= 0:
        return False
    T = follower.tool_poses(_behind(corner, Q))
    return largest_part(T, zone.radius_m, zone.turn) <= 1.0 + 1e-9


def _behind(corner: Array, Q: Array) -> Array:
    """Return joints (N, n) with those of the corner in front."""
    rows = np.empty((len(Q) + 1, Q.shape[1]))
    rows[0], rows[1:] = corner, Q
    return rows


def _joint_reach(leg: Leg, corner: Array, follower: Follower, zone: Zone, *, at_end: bool = False) -> float:
    """Return how far from the corner, in joint space, the leg stays in the zone and in its half nearest to it."""
    w = (HALF * leg.length) * _PARTS
    place = leg.length - w if at_end else w
    rows = _behind(corner, leg.joints_at(place) if isinstance(leg, JointLeg) else leg.guess(place))
    return reach_in_zone(follower.tool_poses(rows), rows, follower.weight, zone.radius_m, zone.turn)


def _joint_state(leg: Leg, a: float, follower: Follower, *, at_end: bool = False) -> tuple[float, Array]:
    """Return the place at joint distance a from an end of the leg: in its measure, and q, q′, q″ by joint distance."""
    weight = follower.weight
    state = np.zeros((3, len(weight)))
    if isinstance(leg, JointLeg):
        w = leg.length - a if at_end else a
        state[1] = (leg.q_end - leg.q_start) / leg.length
        state[0] = leg.q_start + w * state[1]
        return w, state
    known = leg.followed
    offset = min(offset_at(known.w, known.Q, weight, a, at_end), 0.5 * leg.length)
    w = leg.length - offset if at_end else offset
    d = 0.01 * offset
    state_on_leg(leg.joints_at(w + d * _AROUND), d, weight, state)
    return w, state
