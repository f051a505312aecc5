"""Course: legs and corners between two stops, put together into one smooth joint path."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .corners import Bend
from .following import Follower
from .kernels.spline import chords, fit_block, quintic_cells
from .legs import JointLeg, Leg
from .speed import Speed

__all__ = ["Course", "Seam", "lay_course", "measure"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


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
    starts: list[int] = []
    marks: list[tuple[int, int, int]] = []
    count = 0
    for i, leg in enumerate(legs):
        points = _leg_points(leg, bends[i - 1] if i > 0 else None, bends[i] if i < len(bends) else None)
        starts.append(count)
        blocks.append(points if i == 0 else points[1:])
        owners.append(np.full(len(points) - 1, leg.move))
        count += len(points) - 1
        if i < len(bends):
            bend = bends[i]
            middle = int(np.argmin(np.abs(bend.x - 0.5)))
            marks.append((count, count + middle, count + len(bend.x) - 1))
            starts.append(count)
            blocks.append(bend.Q[1:])
            owners.append(np.where(np.arange(len(bend.x) - 1) < middle, leg.move, legs[i + 1].move))
            count += len(bend.x) - 1
    Q, owner = np.vstack(blocks), np.concatenate(owners)
    s, cells = _cells(Q, [*starts, count], legs, follower.weight)
    asked, way, rate = measure(s, cells, owner, {leg.move: leg.speed for leg in legs}, follower)
    seams = tuple(Seam(float(s[a]), float(s[b]), float(s[c])) for a, b, c in marks)
    return Course(s, cells, owner, asked, seams, way, rate)


def _leg_points(leg: Leg, before: Bend | None, after: Bend | None) -> Array:
    """Return the joints of a leg from corner to corner, the seams included."""
    start = 0.0 if before is None else before.after_w
    end = leg.length if after is None else after.before_w
    return np.vstack(
        [
            leg.q_start if before is None else before.Q[-1],
            leg.between(start, end),
            leg.q_end if after is None else after.Q[0],
        ]
    )


def _cells(Q: Array, bounds: list[int], legs: list[Leg], weight: Array) -> tuple[Array, Array]:
    """Return knots and cells of the path through the points."""
    h = np.zeros(len(Q))
    D1, D2 = np.zeros_like(Q), np.zeros_like(Q)

    def straight(block: int) -> bool:
        return block % 2 == 0 and isinstance(legs[block // 2], JointLeg)

    # What comes later counts at a seam: corners are finer than followed legs, and straight legs are exact.
    blocks = sorted(range(len(bounds) - 1), key=lambda block: 2 if straight(block) else block % 2)
    for block in blocks:
        first, last = bounds[block], bounds[block + 1]
        points = Q[first : last + 1]
        s, d1, d2 = np.empty(len(points)), np.zeros_like(points), np.zeros_like(points)
        if straight(block):
            chords(points, weight, s)
            d1[:] = (points[-1] - points[0]) / s[-1]
        else:
            fit_block(points, weight, s, d1, d2)
        h[first + 1 : last + 1] = np.diff(s)
        D1[first : last + 1], D2[first : last + 1] = d1, d2
    knots = np.cumsum(h)
    cells = np.empty((len(Q) - 1, 6, Q.shape[1]))
    quintic_cells(knots, Q, D1, D2, cells)
    return knots, cells


def measure(
    s: Array, cells: Array, owner: Ints, speeds: dict[int, Speed], follower: Follower
) -> tuple[Array, Array, Array]:
    """Return the largest ṡ at the knots that keeps the asked speeds, the tool's way and its derivative there."""
    h = np.diff(s)
    Q: list[Array] = []
    Q1: list[Array] = []
    for x in (0.0 * h, 0.5 * h, h):
        powers = x[:, None] ** np.arange(6)
        Q.append(np.einsum("ck,ckn->cn", powers, cells))
        Q1.append(np.einsum("ck,ckn->cn", powers[:, :5] * np.arange(1, 6), cells[:, 1:]))
    # Ends of a cell are starts of the next one: two looks per cell, and one at the very end.
    q = np.vstack([Q[0], Q[1], Q[2][-1:]])
    q1 = np.vstack([Q1[0], Q1[1], Q1[2][-1:]])
    step = 1e-5
    T_plus, T_minus = follower.tool_poses(q + step * q1), follower.tool_poses(q - step * q1)
    way = np.linalg.norm(T_plus[:, :3, 3] - T_minus[:, :3, 3], axis=1) / (2.0 * step)
    turn = np.linalg.norm(T_plus[:, :3, :3] - T_minus[:, :3, :3], axis=(1, 2)) / (2.0 * step * np.sqrt(2.0))
    joint = np.max(np.abs(q1) * follower.weight, axis=1)
    C = len(h)
    tool = np.array([speeds[m].tool_m_s for m in owner.tolist()])
    spin = np.array([speeds[m].turn_rad_s for m in owner.tolist()])
    part = np.array([speeds[m].joint_fraction for m in owner.tolist()])

    def allowed(place: slice | NDArray[np.int64], move: slice) -> Array:
        """Return the largest ṡ at places, under the speed of the moves that cells belong to."""
        return np.minimum(
            np.minimum(tool[move] / np.maximum(way[place], 1e-12), spin[move] / np.maximum(turn[place], 1e-12)),
            part[move] / np.maximum(joint[place], 1e-12),
        )

    every = slice(None)
    starts, ends = np.arange(C), np.append(np.arange(1, C), 2 * C)
    asked = np.full(C + 1, np.inf)
    asked[:-1] = allowed(starts, every)
    asked[1:] = np.minimum(asked[1:], allowed(ends, every))
    asked = np.minimum(asked, 1e9)
    # Where the middle of a cell allows less than the line between its ends, both ends give way.
    middle = 0.5 * (asked[:-1] + asked[1:])
    give = np.minimum(1.0, allowed(slice(C, 2 * C), every) / middle)
    asked[:-1] *= give
    asked[1:] *= np.where(give < 1.0, give, 1.0)
    at_knots = np.append(way[:C], way[-1])
    length = np.cumsum(h * (at_knots[:-1] + 4.0 * way[C : 2 * C] + at_knots[1:]) / 6.0)
    return asked, np.append(0.0, length), at_knots
