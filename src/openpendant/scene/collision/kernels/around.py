"""What is around an arm at a configuration: several nearest pairs with their points, for those who slide along them.

Source: the tree is descended as in C. Ericson, Real-Time Collision Detection, Morgan Kaufmann 2005, chapter 6,
leaving out what a box cannot bring near enough; distances are those of `gjk.py`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .gjk import at_least, distance
from .nearest import box_gap
from .placement import place_bodies
from .rows import BODY_FLOATS, JOINT, MARGIN, OWNER, RANKED, Tables
from .tree import box_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def _keep(
    d: float, a: Floats, b: Floats, points: Floats, joint: int, mark: int, rows: Floats, marks: Ints, n: int
) -> int:
    """Put a pair in its place among the nearest; return how many there are now."""
    x, y, z = points[0] - points[3], points[1] - points[4], points[2] - points[5]
    size = math.sqrt(x * x + y * y + z * z)
    if size < 1e-9:
        # They touch: away from the middle of the other.
        x, y, z = a[9] - b[9], a[10] - b[10], a[11] - b[11]
        size = max(math.sqrt(x * x + y * y + z * z), 1e-9)
    most = rows.shape[0]
    at = min(n, most - 1)
    if n == most and rows[at, 0] <= d:
        return n
    while at > 0 and rows[at - 1, 0] > d:
        rows[at] = rows[at - 1]
        marks[at] = marks[at - 1]
        at -= 1
    rows[at, 0] = d
    rows[at, 1], rows[at, 2], rows[at, 3] = points[0], points[1], points[2]
    rows[at, 4], rows[at, 5], rows[at, 6] = x / size, y / size, z / size
    rows[at, 7] = joint
    marks[at] = mark
    return min(n + 1, most)


@jit
def around(t: Tables, q: Floats, arm: int, first: int, within: float, rows: Floats, marks: Ints) -> int:
    """Write the nearest pairs of one arm with what stands and with other arms, nearest first; return how many.

    Args:
        t: The scene.
        q: All joints.
        arm: Which arm.
        first: The row of its first joint.
        within: Nothing farther is looked for, margins included.
        rows: (K, 8): written: distance less the margin, point on the arm (3), unit direction to it from the other (3),
            the joint that carries the body, counted from the arm's base.
        marks: (K,): written: the row of the standing body, or -1 - the row of the moving one.
    """
    frames = np.empty((t.joint_floats.shape[0], 12))
    places = np.empty((t.moving.shape[0], 12))
    work = np.empty((14, 4))
    points = np.empty(6)
    box = np.empty(6)
    stack = np.empty(128, dtype=np.int64)
    place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, q, frames, places)
    wide = within + t.widest[0]
    n = 0
    for s in range(t.moving.shape[0]):
        joint = t.moving_ints[s, JOINT]
        if t.boxes.shape[0] == 0 or t.joint_ints[joint, 2] != arm:
            continue
        box_of(t.moving[s], places[s], box)
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            if box_gap(box, t.boxes[node]) >= wide:
                continue
            if t.links[node, 0] >= 0:
                stack[top], stack[top + 1] = t.links[node, 0], t.links[node, 1]
                top += 2
                continue
            o = t.links[node, 1]
            if t.skip[t.moving_ints[s, OWNER], t.standing_ints[o, OWNER]] != RANKED:
                continue
            limit = within + t.standing[o, MARGIN]
            if at_least(t.moving[s], places[s], t.standing[o], t.standing[o]) >= limit:
                continue
            for c in range(3):
                points[c], points[3 + c] = places[s, 9 + c], t.standing[o, 9 + c]
            d = distance(
                t.moving[s], t.moving_ints[s], places[s],
                t.standing[o], t.standing_ints[o], t.standing[o],
                t.corners, limit, work, points,
            )  # fmt: skip
            if d < limit:
                place = t.standing[o]
                n = _keep(d - t.standing[o, MARGIN], places[s], place, points, joint - first, o, rows, marks, n)
    other = np.empty(BODY_FLOATS)
    for p in range(t.pairs.shape[0]):
        a, b = t.pairs[p, 0], t.pairs[p, 1]
        one, two = t.joint_ints[t.moving_ints[a, JOINT], 2], t.joint_ints[t.moving_ints[b, JOINT], 2]
        if t.pairs[p, 2] == 0 or one == two or arm not in (one, two):
            continue
        if two == arm:
            a, b = b, a
        if at_least(t.moving[a], places[a], t.moving[b], places[b]) >= within:
            continue
        other[:] = t.moving[b]
        other[:12] = places[b]
        for c in range(3):
            points[c], points[3 + c] = places[a, 9 + c], other[9 + c]
        d = distance(
            t.moving[a], t.moving_ints[a], places[a],
            other, t.moving_ints[b], other,
            t.corners, within, work, points,
        )  # fmt: skip
        if d < within:
            n = _keep(d, places[a], other, points, t.moving_ints[a, JOINT] - first, -1 - b, rows, marks, n)
    return n
