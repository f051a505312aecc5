"""Grade solutions: distance from the seed, margin to the limits, equal ones once, nearest first.

Derivation: the margin is the least distance of a joint from a limit, the distance from the seed is Euclidean in joint
space; rows are put in by insertion, since there are few.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .planar import nearest_turn

Array = NDArray[np.float64]

SAME = 5e-7
"""Solutions closer than this in every joint are one; a stretched elbow computed twice differs by up to 1e-7."""


@jit
def grade(
    Q: Array, mask: NDArray[np.bool_], seed: Array, limits: Array, graded: Array, order: NDArray[np.int64]
) -> int:
    """Write (margin, distance) of each row of Q (B, n) into `graded` (B, 2), and the rows to show into `order` (B,).

    Return how many there are to show.
    """
    count = 0
    for b in range(Q.shape[0]):
        if not mask[b]:
            continue
        same = False
        for k in range(count):
            far = 0.0
            for j in range(Q.shape[1]):
                far = max(far, abs(Q[b, j] - Q[order[k], j]))
            if far < SAME:
                same = True
        if same:
            continue
        total = 0.0
        margin = math.inf
        for j in range(Q.shape[1]):
            difference = Q[b, j] - seed[j]
            total += difference * difference
            margin = min(margin, Q[b, j] - limits[0, j], limits[1, j] - Q[b, j])
        graded[b, 0] = math.pi if math.isinf(margin) else max(margin, 0.0)
        graded[b, 1] = math.sqrt(total)
        place = count
        while place > 0 and graded[order[place - 1], 1] > graded[b, 1]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = b
        count += 1
    return count


@jit
def turn_towards(Q: Array, seed: Array, limits: Array, turning: NDArray[np.bool_]) -> None:
    """Turn each turning joint of Q (B, n) by whole turns to where it is nearest to the seed inside its limits."""
    for b in range(Q.shape[0]):
        for j in range(Q.shape[1]):
            if turning[j]:
                Q[b, j] = nearest_turn(Q[b, j], seed[j], limits[0, j], limits[1, j])
