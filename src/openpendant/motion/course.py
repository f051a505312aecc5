"""Course: legs and corners between two stops, put together into one smooth joint path."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .corners import CORNER_CELLS, Bend
from .following import Follower
from .kernels.spline import chords, fit
from .legs import JointLeg, Leg, seam_offsets
from .speed import Speed

__all__ = ["Course", "Seam", "lay_course"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

_FIRST = 0.5 - 0.5 * float(np.cos(np.pi / CORNER_CELLS))
"""The first cell of a corner, as part of its length."""


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
    """(N - 1, 4, n)."""
    owner: Ints
    """(N - 1,) the move of each cell."""
    asked: Array
    """(N - 1,) largest ṡ asked for."""
    seams: tuple[Seam, ...]
    """One for each corner."""
    tool_length_m: float


def lay_course(legs: list[Leg], bends: list[Bend], follower: Follower) -> Course:
    """Return the joint path along legs, with a bend between each and the next."""
    blocks: list[Array] = []
    owners: list[Ints] = []
    marks: list[tuple[int, int, int]] = []
    count = 1
    for i, leg in enumerate(legs):
        start = bends[i - 1].after_w if i > 0 else 0.0
        end = bends[i].before_w if i < len(bends) else leg.length
        Q = _interior(leg, start, end, bends[i - 1] if i > 0 else None, bends[i] if i < len(bends) else None)
        first = legs[0].q_start if i == 0 else bends[i - 1].Q[-1]
        last = legs[-1].q_end if i == len(legs) - 1 else bends[i].Q[0]
        points = np.vstack([first, Q, last])
        blocks.append(points if i == 0 else points[1:])
        owners.append(np.full(len(points) - 1, leg.move))
        count += len(points) - 1
        if i < len(bends):
            bend = bends[i]
            middle = int(np.argmin(np.abs(bend.x - 0.5)))
            marks.append((count - 1, count - 1 + middle, count + len(bend.x) - 2))
            blocks.append(bend.Q[1:])
            owners.append(np.where(np.arange(len(bend.x) - 1) < middle, leg.move, legs[i + 1].move))
            count += len(bend.x) - 1
    Q_all, owner = np.vstack(blocks), np.concatenate(owners)
    s = np.empty(len(Q_all))
    chords(Q_all, follower.weight, s)
    seams = tuple(Seam(float(s[a]), float(s[b]), float(s[c])) for a, b, c in marks)
    keep = np.append(True, np.diff(s) > 1e-12)
    if not keep[-1]:
        keep[np.flatnonzero(keep)[-1]], keep[-1] = False, True
    s, Q_all, owner = s[keep], Q_all[keep], owner[keep[1:]]
    cells = np.empty((len(s) - 1, 4, Q_all.shape[1]))
    fit(s, Q_all, cells)
    speeds = {leg.move: leg.speed for leg in legs}
    asked, length = _asked(s, cells, owner, speeds, follower)
    return Course(s, cells, owner, asked, seams, length)


def _interior(leg: Leg, start: float, end: float, before: Bend | None, after: Bend | None) -> Array:
    """Return the joints of a leg between its two corners, without the seams themselves."""
    w = leg.knots(start, end)
    spacing = (end - start) / (len(w) + 1)
    extra: list[Array] = []
    for bend, place, sign in ((before, start, 1.0), (after, end, -1.0)):
        if bend is not None:
            in_leg = bend.after_w if sign > 0.0 else leg.length - bend.before_w
            offsets = seam_offsets(2.0 * in_leg * _FIRST, min(spacing, 0.25 * (end - start)))
            extra.append(place + sign * offsets)
    if extra:
        added = np.concatenate(extra)
        near = np.array([bool((np.abs(added - one) < 0.3 * spacing).any()) for one in w])
        w = np.sort(np.concatenate([w[~near], added]))
    if isinstance(leg, JointLeg):
        return leg.joints_at(w)
    if not extra:
        known = leg.followed
        return known.Q[np.isin(known.w, w)] if len(w) > 1 and np.isin(w, known.w).all() else leg.joints_at(w)
    return leg.joints_at(w)


def _asked(s: Array, cells: Array, owner: Ints, speeds: dict[int, Speed], follower: Follower) -> tuple[Array, float]:
    """Return the largest ṡ in each cell that keeps the asked speeds, and the length of the tool's way."""
    h = np.diff(s)
    Q: list[Array] = []
    Q1: list[Array] = []
    for x in (0.0 * h, 0.5 * h, h):
        x = x[:, None]
        Q.append(cells[:, 0] + x * (cells[:, 1] + x * (cells[:, 2] + x * cells[:, 3])))
        Q1.append(cells[:, 1] + x * (2.0 * cells[:, 2] + 3.0 * x * cells[:, 3]))
    # Ends of a cell are starts of the next one: two looks per cell, and one at the very end.
    q = np.vstack([Q[0], Q[1], Q[2][-1:]])
    q1 = np.vstack([Q1[0], Q1[1], Q1[2][-1:]])
    step = 1e-5
    T_plus, T_minus = follower.tool_poses(q + step * q1), follower.tool_poses(q - step * q1)
    way = np.linalg.norm(T_plus[:, :3, 3] - T_minus[:, :3, 3], axis=1) / (2.0 * step)
    turn = np.linalg.norm(T_plus[:, :3, :3] - T_minus[:, :3, :3], axis=(1, 2)) / (2.0 * step * np.sqrt(2.0))
    joint = np.max(np.abs(q1) * follower.weight, axis=1)
    C = len(h)

    def over_cell(rate: Array) -> Array:
        return np.maximum(np.maximum(rate[:C], np.append(rate[1:C], rate[-1])), np.maximum(rate[C : 2 * C], 1e-12))

    tool = np.array([speeds[m].tool_m_s for m in owner.tolist()])
    spin = np.array([speeds[m].turn_rad_s for m in owner.tolist()])
    part = np.array([speeds[m].joint_fraction for m in owner.tolist()])
    asked = np.minimum(tool / over_cell(way), spin / over_cell(turn))
    length = float(np.sum(h * (way[:C] + 4.0 * way[C : 2 * C] + np.append(way[1:C], way[-1])) / 6.0))
    return np.minimum(asked, part / over_cell(joint)), length
