"""The numeric solver's calls: check the pose, find one or all solutions, and put them in rows under a mask.

Derivation: none of its own; one descent finds one branch (`descent.py`), so all are looked for from many starts, and
whole turns bring each to where it is nearest to the seed (`planar.py`).
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .descent import WORK, descend, find_all
from .grade import turn_towards
from .planar import LIMIT_TOLERANCE, is_transform

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

ITERATIONS = 25
STARTS = 100
MORE_STARTS = 2000
"""Of 10,000 random poses of random six-axis arms, 20 are missed by 100 starts, none by these."""


@jit
def clean_rotation(T: Array) -> None:
    """Replace the rotation of T, which is within tolerance of one, by an exact one: the search needs it."""
    x, y, z = T[0, 0], T[1, 0], T[2, 0]
    norm = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / norm, y / norm, z / norm
    along = x * T[0, 1] + y * T[1, 1] + z * T[2, 1]
    u, v, w = T[0, 1] - along * x, T[1, 1] - along * y, T[2, 1] - along * z
    norm = math.sqrt(u * u + v * v + w * w)
    u, v, w = u / norm, v / norm, w / norm
    T[0, 0], T[1, 0], T[2, 0] = x, y, z
    T[0, 1], T[1, 1], T[2, 1] = u, v, w
    T[0, 2], T[1, 2], T[2, 2] = y * w - z * v, z * u - x * w, x * v - y * u


@jit
def solve(
    packed: Array, limits: Array, turning: Mask, T: Array, scale: float, seed: Array, Q: Array, mask: Mask
) -> bool:
    """Write the first B distinct solutions found into Q (B, n) and mask (B,).

    Return False when T is not a transform or the seed not finite. T is overwritten.
    """
    if not is_transform(T, seed):
        return False
    clean_rotation(T)
    count = find_all(packed, limits, T, scale, seed, Q, ITERATIONS, 0, STARTS)
    if count == 0 and Q.shape[0] > 1:
        # One is enough then. Redundant arms, with a single row, have solutions without number, and find one sooner.
        count = find_all(packed, limits, T, scale, seed, Q[:1], ITERATIONS, STARTS, MORE_STARTS)
    turn_towards(Q[:count], seed, limits, turning)
    for b in range(Q.shape[0]):
        mask[b] = b < count
        if b >= count:
            for j in range(Q.shape[1]):
                Q[b, j] = math.nan
    return True


@jit
def solve_batch(
    packed: Array, limits: Array, turning: Mask, T: Array, scale: float, seed: Array, Q: Array, mask: Mask
) -> int:
    """Solve T (N, 4, 4) with seed (1, n) or (N, n); return the index of the first bad transform, or -1."""
    for i in range(T.shape[0]):
        start = seed[i if seed.shape[0] > 1 else 0]
        if not solve(packed, limits, turning, T[i], scale, start, Q[i], mask[i]):
            return i
    return -1


@jit
def refine(
    packed: Array, limits: Array, turning: Mask, T: Array, scale: float, seed: Array, Q: Array, mask: Mask
) -> None:
    """Improve rows of Q (B, n) that nearly meet T until they meet it, and mask (B,) those inside the limits.

    Rows that cannot be improved become NaN. T is a clean transform.
    """
    n = Q.shape[1]
    J = np.zeros((6, n))
    work = np.empty(WORK)
    endless = np.empty((2, n))
    for j in range(n):
        endless[0, j], endless[1, j] = -math.inf, math.inf
    for b in range(Q.shape[0]):
        mask[b] = False
        if math.isnan(Q[b, 0]):
            continue
        if not descend(packed, endless, T, scale, Q[b], J, work, ITERATIONS):
            for j in range(n):
                Q[b, j] = math.nan
            continue
        turn_towards(Q[b : b + 1], seed, limits, turning)
        inside = True
        for j in range(n):
            inside = inside and limits[0, j] - LIMIT_TOLERANCE <= Q[b, j] <= limits[1, j] + LIMIT_TOLERANCE
        mask[b] = inside
