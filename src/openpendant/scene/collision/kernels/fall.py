"""What is below a thing, and what is beside it.

Derivation: conservative advancement with a motion straight down: the nearest points of two convex bodies give a plane
between them, and a fall that the plane allows is safe (proof at `fall`).
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .gjk import at_least, distance
from .rows import OWNER, Tables
from .tree import box_of

Floats = NDArray[np.float64]
Marks = NDArray[np.uint8]

STEPS = 200
TOUCH_M = 1e-7


@jit
def fall(t: Tables, owner: int, lift: float, below: NDArray[np.int64]) -> float:
    """Return how far a standing thing can fall straight down, from `lift` above its place; infinite: nothing is below.

    The nearest points of two convex bodies give a plane between them. Falling by s brings them nearer along its
    normal n by s |n_z|, so a fall of distance / |n_z| is safe, and where n does not point down it never ends in a
    touch. Repeating this ends at the touch.

    Args:
        t: The scene.
        owner: Whose bodies fall.
        lift: Where they start, so that what it rests on already is found below it.
        below: (1,): the owner that stops it, or -1. Written.

    Returns:
        The way from the lifted place; -1 where it is in something already.
    """
    work, points = np.empty((14, 4)), np.empty(6)
    box, other_box = np.empty(6), np.empty(6)
    best = np.inf
    below[0] = -1
    for a in range(t.standing.shape[0]):
        if t.standing_ints[a, OWNER] != owner:
            continue
        place = t.standing[a].copy()
        place[11] += lift
        high = place[11]
        box_of(t.standing[a], place, box)
        for o in range(t.standing.shape[0]):
            if t.standing_ints[o, OWNER] == owner:
                continue
            box_of(t.standing[o], t.standing[o], other_box)
            if (
                box[0] > other_box[3] or other_box[0] > box[3]
                or box[1] > other_box[4] or other_box[1] > box[4] or other_box[2] > box[5]
            ):  # fmt: skip
                continue
            fallen = 0.0
            for step in range(STEPS):
                place[11] = high - fallen
                d = distance(
                    t.standing[a], t.standing_ints[a], place,
                    t.standing[o], t.standing_ints[o], t.standing[o],
                    t.corners, np.inf, work, points,
                )  # fmt: skip
                if d <= TOUCH_M:
                    if step == 0 and d <= 0.0:
                        below[0] = t.standing_ints[o, OWNER]
                        return -1.0
                    if fallen < best:
                        best = fallen
                        below[0] = t.standing_ints[o, OWNER]
                    break
                dx, dy, dz = points[3] - points[0], points[4] - points[1], points[5] - points[2]
                length = math.sqrt(dx * dx + dy * dy + dz * dz)
                if dz >= -1e-9 * length:
                    break
                fallen += d * length / -dz
                if fallen >= best:
                    break
    return best


@jit
def mark_near(t: Tables, owner: int, within: float, marks: Marks) -> None:
    """Set `marks` (owners of standing,) to 1 for all that are nearer than `within` to a standing thing."""
    work, points = np.empty((14, 4)), np.empty(6)
    for a in range(t.standing.shape[0]):
        if t.standing_ints[a, OWNER] != owner:
            continue
        for o in range(t.standing.shape[0]):
            other = t.standing_ints[o, OWNER]
            if other == owner or marks[other]:
                continue
            if at_least(t.standing[a], t.standing[a], t.standing[o], t.standing[o]) > within:
                continue
            d = distance(
                t.standing[a], t.standing_ints[a], t.standing[a],
                t.standing[o], t.standing_ints[o], t.standing[o],
                t.corners, within, work, points,
            )  # fmt: skip
            if d <= within:
                marks[other] = 1
