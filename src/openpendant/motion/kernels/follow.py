"""Follow a sequence of poses through the branches of inverse kinematics by continuity."""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

__all__ = ["follow", "nearest_rows", "rough_cells"]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]


@jit
def follow(candidates: Array, q0: Array, weight: Array, turning: Bools, Q: Array, step: Array) -> int:
    """Choose for each pose the branch nearest to the one before, turned by whole turns to be near.

    Args:
        candidates: (N, B, n), NaN where a branch does not exist.
        q0: (n,) the joints before the first pose.
        weight: (n,) makes joints comparable.
        turning: (n,) joints that whole turns do not change.
        Q: (N, n) written.
        step: (N,) written: largest weighted change of a joint.

    Returns:
        N, or the index of the first pose that no branch reaches.
    """
    N, B, n = candidates.shape
    prev = q0.copy()
    for i in range(N):
        best, best_distance = -1, math.inf
        for b in range(B):
            distance = 0.0
            for j in range(n):
                d = candidates[i, b, j] - prev[j]
                if turning[j]:
                    d -= 2.0 * math.pi * math.floor(d / (2.0 * math.pi) + 0.5)
                d = abs(d) * weight[j]
                if d > distance or d != d:
                    distance = d
                if distance >= best_distance:
                    break
            if distance < best_distance:
                best, best_distance = b, distance
        if best < 0:
            return i
        for j in range(n):
            d = candidates[i, best, j] - prev[j]
            if turning[j]:
                d -= 2.0 * math.pi * math.floor(d / (2.0 * math.pi) + 0.5)
            Q[i, j] = prev[j] + d
            prev[j] = Q[i, j]
        step[i] = best_distance
    return N


@jit
def nearest_rows(candidates: Array, near: Array, weight: Array, turning: Bools, Q: Array, step: Array) -> None:
    """Choose for each pose the branch nearest to its own row of `near`; step is NaN where none exists."""
    one = np.empty((1, near.shape[1]))
    distance = np.empty(1)
    for i in range(candidates.shape[0]):
        if follow(candidates[i : i + 1], near[i], weight, turning, one, distance) == 1:
            Q[i] = one[0]
            step[i] = distance[0]
        else:
            step[i] = math.nan


@jit
def rough_cells(Q: Array, weight: Array, longest: float, sharpest: float, split: Bools) -> int:
    """Mark the cells of a joint path (N, n) that are too long, or beside a bend that is too sharp.

    Args:
        Q: (N, n) joints.
        weight: (n,) makes joints comparable.
        longest: Largest weighted length of a cell.
        sharpest: Largest angle between two cells, radians.
        split: (N - 1,) written: True where the cell must be divided.

    Returns:
        How many cells are marked.
    """
    N, n = Q.shape
    count = 0
    limit = math.cos(sharpest)
    before = 0.0
    for i in range(N - 1):
        length2, dot = 0.0, 0.0
        for j in range(n):
            d = (Q[i + 1, j] - Q[i, j]) * weight[j]
            length2 += d * d
            if i > 0:
                dot += d * (Q[i, j] - Q[i - 1, j]) * weight[j]
        length = math.sqrt(length2)
        split[i] = length > longest
        if i > 0 and before > 1e-9 and length > 1e-9 and dot < limit * before * length:
            # Only the longer of two cells, unless both are alike: halving the short one helps nobody.
            if length > 0.5 * before:
                split[i] = True
            if before > 0.5 * length:
                split[i - 1] = True
        before = length
    for i in range(N - 1):
        if split[i]:
            count += 1
    return count
