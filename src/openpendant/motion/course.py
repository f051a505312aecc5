"""Course: legs and corners between two stops, put together into one smooth joint path."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .corners import Bend
from .followed_piece import Follower
from .kernels.course import allowed_rates, lay, lay_around
from .legs import JointLeg, Leg
from .speed import Speed

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

FOLLOWED, BENT, STRAIGHT = 0, 1, 2
"""Kinds of blocks, for the kernel that lays them."""
STEP = 1e-5
"""Of s, ahead of and behind a place, to see how fast the tool is there."""


@dataclass(frozen=True, eq=False)
class Seam:
    """Where a corner lies on the course, as places s."""

    enter: float
    middle: float
    leave: float


@dataclass(frozen=True, eq=False)
class Course:
    """A joint path from rest to rest."""

    s: Array
    """(N,) knots."""
    cells: Array
    """(N - 1, 6, n)."""
    owner: Ints
    """(N - 1,) the move of each cell."""
    asked: Array
    """(N,) largest ṡ asked for at the knots, linear between."""
    seams: tuple[Seam, ...]
    """One for each corner."""
    way_m: Array
    """(N,) length of the way of the tool's point up to each knot."""
    way_rate: Array
    """(N,) its derivative by s."""


def lay_course(legs: list[Leg], bends: list[Bend], follower: Follower) -> Course:
    """Return the joint path along legs, with a bend between each and the next."""
    blocks: list[Array] = []
    owners: list[Ints] = []
    bounds: list[int] = [0]
    kinds: list[int] = []
    marks: list[tuple[int, int, int]] = []
    for i, leg in enumerate(legs):
        points = _leg_points(leg, bends[i - 1] if i > 0 else None, bends[i] if i < len(bends) else None)
        blocks.append(points if i == 0 else points[1:])
        owners.append(np.full(len(points) - 1, leg.move))
        kinds.append(STRAIGHT if isinstance(leg, JointLeg) else FOLLOWED)
        bounds.append(bounds[-1] + len(points) - 1)
        if i < len(bends):
            bend, count = bends[i], bounds[-1]
            middle = int(np.abs(bend.x - 0.5).argmin())
            marks.append((count, count + middle, count + len(bend.x) - 1))
            blocks.append(bend.Q[1:])
            owners.append(np.repeat([leg.move, legs[i + 1].move], [middle, len(bend.x) - 1 - middle]))
            kinds.append(BENT)
            bounds.append(count + len(bend.x) - 1)
    Q = np.concatenate(blocks) if bends else blocks[0]
    owner = np.concatenate(owners) if bends else owners[0]
    s, cells = np.empty(len(Q)), np.empty((len(Q) - 1, 6, Q.shape[1]))
    lay(Q, np.array(bounds), np.array(kinds), follower.weight, s, cells)
    asked, way, rate = measure(s, cells, owner, {leg.move: leg.speed for leg in legs}, follower)
    seams = tuple(Seam(float(s[a]), float(s[b]), float(s[c])) for a, b, c in marks)
    return Course(s, cells, owner, asked, seams, way, rate)


def _leg_points(leg: Leg, before: Bend | None, after: Bend | None) -> Array:
    """Return the joints of a leg from corner to corner, the seams included."""
    start = 0.0 if before is None else before.after_w
    end = leg.length if after is None else after.before_w
    inner = leg.between(start, end)
    points = np.empty((len(inner) + 2, inner.shape[1]))
    points[0] = leg.q_start if before is None else before.Q[-1]
    points[1:-1] = inner
    points[-1] = leg.q_end if after is None else after.Q[0]
    return points


def measure(
    s: Array, cells: Array, owner: Ints, speeds: dict[int, Speed], follower: Follower
) -> tuple[Array, Array, Array]:
    """Return the largest ṡ at the knots that keeps the asked speeds, the tool's way and its derivative there."""
    C, n = len(cells), cells.shape[2]
    Q, joint = np.empty((2, 2 * C + 1, n)), np.empty(2 * C + 1)
    lay_around(s, cells, follower.weight, STEP, Q, joint)
    T = follower.tool_poses(Q.reshape(-1, n))
    first = min(speeds)
    table = np.ones((max(speeds) - first + 1, 3))
    for move, speed in speeds.items():
        table[move - first] = speed.tool_m_s, speed.turn_rad_s, speed.joint_fraction
    asked, way_m, way_rate = np.empty(C + 1), np.empty(C + 1), np.empty(C + 1)
    allowed_rates(s, T, joint, table[owner - first], STEP, asked, way_m, way_rate)
    return asked, way_m, way_rate
