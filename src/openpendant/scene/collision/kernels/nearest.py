"""Nearest pair and collision at one configuration, or at many.

Source: depth first, the nearer child first, leaving out what is not nearer than the best so far: S. Quinlan,
Efficient distance computation between non-convex objects, ICRA 1994.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .gjk import at_least, balls_apart, distance, distance_from
from .placement import place_bodies
from .rows import BODY_FLOATS, JOINT, MARGIN, OWNER, SKIPPED, UNRANKED, Tables
from .tree import box_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.uint8]
Bools = NDArray[np.bool_]


@jit
def _gap2(a: Floats, b: Floats) -> float:
    """Return the squared distance of two axis-parallel boxes; 0 where they overlap."""
    x = max(a[0] - b[3], b[0] - a[3], 0.0)
    y = max(a[1] - b[4], b[1] - a[4], 0.0)
    z = max(a[2] - b[5], b[2] - a[5], 0.0)
    return x * x + y * y + z * z


@jit
def box_gap(a: Floats, b: Floats) -> float:
    """Return the distance of two axis-parallel boxes; 0 where they overlap."""
    return math.sqrt(_gap2(a, b))


@jit
def _distance(
    t: Tables, places: Floats, a: int, o: int, b: int, enough: float, work: Floats, points: Floats, axes: Floats
) -> float:
    """Return the distance of moving body a to standing body o, or where o is -1 to moving body b.

    As `distance`; what is beyond `enough` is answered as quickly as what was seen before allows.
    """
    column = o if o >= 0 else t.standing.shape[0] + b
    if o >= 0:
        other, ints, place = t.standing[o], t.standing_ints[o], t.standing[o, :12]
    else:
        other, ints, place = t.moving[b], t.moving_ints[b], places[b]
    mine, mine_ints, mine_place = t.moving[a], t.moving_ints[a], places[a]
    if axes.shape[0] == 0:
        return distance(mine, mine_ints, mine_place, other, ints, place, t.corners, enough, work, points)
    axis = axes[a, column]
    return distance_from(mine, mine_ints, mine_place, other, ints, place, t.corners, enough, work, points, axis)


@jit
def nearest_at(
    t: Tables, q: Floats, active: Marks, start: float, ranked_only: bool, found: Ints, axes: Floats
) -> float:
    """Return the least distance at a configuration, where it is below `start`; otherwise `start`.

    Args:
        t: The scene.
        q: All joints.
        active: (arms,): pairs of which no body is carried by an active arm are left out.
        start: Nothing farther is looked for.
        ranked_only: Leave out what does not count as clearance.
        found: (3,): 0 and rows of a moving and a standing body, or 1 and rows of two moving ones; -1: nothing found.
            On entry a pair to begin with, one that was found before under the same conditions, or -1.
        axes: (S, O + S, 3): directions in which pairs were apart, kept from call to call; zero at first. Empty: none.
    """
    frames = np.empty((t.joint_floats.shape[0], 12))
    places = np.empty((t.moving.shape[0], 12))
    work = np.empty((14, 4))
    points = np.empty(6)
    box = np.empty(6)
    stack, gaps = np.empty(128, dtype=np.int64), np.empty(128)
    place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, q, frames, places)
    best = start
    if found[0] >= 0:
        # What was nearest a moment ago is near now, and spares a look at most others.
        o = found[2] if found[0] == 0 else -1
        d = _distance(t, places, found[1], o, found[2], best, work, points, axes)
        if d < best:
            best = d
        else:
            found[0] = -1
    for s in range(t.moving.shape[0]):
        owner = t.moving_ints[s, OWNER]
        if t.boxes.shape[0] == 0 or not active[t.joint_ints[t.moving_ints[s, JOINT], 2]]:
            continue
        box_of(t.moving[s], places[s], box)
        stack[0], gaps[0] = 0, 0.0
        top = 1
        while top > 0 and best > 0.0:
            top -= 1
            node = stack[top]
            if gaps[top] >= best * best:
                continue
            if t.links[node, 0] >= 0:
                first, second = t.links[node, 0], t.links[node, 1]
                one, two = _gap2(box, t.boxes[first]), _gap2(box, t.boxes[second])
                # The nearer child comes off the stack first.
                if one < two:
                    first, second, one, two = second, first, two, one
                if one < best * best:
                    stack[top], gaps[top] = first, one
                    top += 1
                if two < best * best:
                    stack[top], gaps[top] = second, two
                    top += 1
                continue
            o = t.links[node, 1]
            mark = t.skip[owner, t.standing_ints[o, OWNER]]
            if mark == SKIPPED or (ranked_only and mark == UNRANKED):
                continue
            if at_least(t.moving[s], places[s], t.standing[o], t.standing[o]) >= best:
                continue
            d = _distance(t, places, s, o, -1, best, work, points, axes)
            if d < best:
                best = d
                found[0], found[1], found[2] = 0, s, o
    for p in range(t.pairs.shape[0]):
        a, b = t.pairs[p, 0], t.pairs[p, 1]
        if ranked_only and t.pairs[p, 2] == 0:
            continue
        if balls_apart(t.moving[a], places[a], t.moving[b], places[b], best):
            continue
        first_arm, second_arm = (
            t.joint_ints[t.moving_ints[a, JOINT], 2],
            t.joint_ints[t.moving_ints[b, JOINT], 2],
        )
        if not (active[first_arm] or active[second_arm]):
            continue
        if at_least(t.moving[a], places[a], t.moving[b], places[b]) >= best:
            continue
        d = _distance(t, places, a, -1, b, best, work, points, axes)
        if d < best:
            best = d
            found[0], found[1], found[2] = 1, a, b
    return best


@jit
def _collides(
    t: Tables,
    places: Floats,
    active: Marks,
    work: Floats,
    points: Floats,
    box: Floats,
    stack: Ints,
    axes: Floats,
) -> int:
    """Return whether placed bodies touch: -1 no, else the row of the moving body."""
    wide = t.widest[0]
    for s in range(t.moving.shape[0]):
        owner = t.moving_ints[s, OWNER]
        if t.boxes.shape[0] == 0 or not active[t.joint_ints[t.moving_ints[s, JOINT], 2]]:
            continue
        box_of(t.moving[s], places[s], box)
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            if _gap2(box, t.boxes[node]) > wide * wide:
                continue
            if t.links[node, 0] >= 0:
                stack[top], stack[top + 1] = t.links[node, 0], t.links[node, 1]
                top += 2
                continue
            o = t.links[node, 1]
            margin = t.standing[o, MARGIN]
            if t.skip[owner, t.standing_ints[o, OWNER]] == SKIPPED:
                continue
            if at_least(t.moving[s], places[s], t.standing[o], t.standing[o]) > margin:
                continue
            d = _distance(t, places, s, o, -1, margin, work, points, axes)
            if d <= margin:
                return s
    for p in range(t.pairs.shape[0]):
        a, b = t.pairs[p, 0], t.pairs[p, 1]
        if balls_apart(t.moving[a], places[a], t.moving[b], places[b], 0.0):
            continue
        if not (active[t.joint_ints[t.moving_ints[a, JOINT], 2]] or active[t.joint_ints[t.moving_ints[b, JOINT], 2]]):
            continue
        if at_least(t.moving[a], places[a], t.moving[b], places[b]) > 0.0:
            continue
        d = _distance(t, places, a, -1, b, 0.0, work, points, axes)
        if d <= 0.0:
            return a
    return -1


@jit
def collide_many(t: Tables, Q: Floats, active: Marks, out: Bools, axes: Floats) -> None:
    """Write for each configuration of Q (N, n) whether something is nearer than its margin; `axes` as `nearest_at`."""
    frames = np.empty((t.joint_floats.shape[0], 12))
    places = np.empty((t.moving.shape[0], 12))
    work = np.empty((14, 4))
    points = np.empty(6)
    box = np.empty(6)
    stack = np.empty(128, dtype=np.int64)
    for i in range(Q.shape[0]):
        place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, Q[i], frames, places)
        out[i] = _collides(t, places, active, work, points, box, stack, axes) >= 0


@jit
def pair_points(t: Tables, q: Floats, kind: int, a: int, b: int, points: Floats) -> float:
    """Return the distance of one pair at a configuration and write its nearest points (6,)."""
    frames = np.empty((t.joint_floats.shape[0], 12))
    places = np.empty((t.moving.shape[0], 12))
    place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, q, frames, places)
    other = np.empty(BODY_FLOATS)
    other[:] = t.standing[b] if kind == 0 else t.moving[b]
    ints = t.standing_ints[b] if kind == 0 else t.moving_ints[b]
    if kind == 1:
        other[:12] = places[b]
    for c in range(3):
        points[c], points[3 + c] = places[a, 9 + c], other[9 + c]
    return distance(
        t.moving[a], t.moving_ints[a], places[a], other, ints, other, t.corners, np.inf, np.empty((14, 4)), points
    )
