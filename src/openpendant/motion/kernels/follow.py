"""Follow a sequence of poses through the branches of inverse kinematics by continuity.

Derivation: joints are continuous along a path, so of the branches of inverse kinematics the next one is the nearest,
whole turns taken off; nearest by the joint that moves most, weighted, since that one takes longest. How fine poses
must be follows from the steps and bends of what was found.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

MOST = 8
"""Parts of a cell in one go."""


@jit
def follow(candidates: Array, q0: Array, weight: Array, turning: Bools, Q: Array, branch: Ints) -> int:
    """Choose for each pose the branch nearest to the one before, turned by whole turns to be near.

    Args:
        candidates: (N, B, n), NaN where a branch does not exist.
        q0: (n,) the joints before the first pose.
        weight: (n,) makes joints comparable.
        turning: (n,) joints that whole turns do not change.
        Q: (N, n) written.
        branch: (N,) written: which branch was chosen.

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
        branch[i] = best
    return N


@jit
def nearest_rows(candidates: Array, near: Array, weight: Array, turning: Bools, Q: Array, branch: Ints) -> None:
    """Choose for each pose the branch nearest to its own row of `near`; -1 where none exists."""
    one = np.empty((1, near.shape[1]))
    chosen = np.empty(1, dtype=np.int64)
    for i in range(candidates.shape[0]):
        branch[i] = -1
        if follow(candidates[i : i + 1], near[i], weight, turning, one, chosen) == 1:
            Q[i] = one[0]
            branch[i] = chosen[0]


@jit
def longest_steps(Q: Array, weight: Array, steps: Array) -> float:
    """Write the largest weighted step of a joint between each two of Q (N, n); return the largest of all."""
    most = 0.0
    for i in range(Q.shape[0] - 1):
        steps[i] = 0.0
        for j in range(Q.shape[1]):
            steps[i] = max(steps[i], abs(Q[i + 1, j] - Q[i, j]) * weight[j])
        most = max(most, steps[i])
    return most


@jit
def rough_cells(Q: Array, weight: Array, longest: float, sharpest: float, parts: Ints) -> int:
    """Count into how many parts the cells of a joint path (N, n) must be divided.

    A cell is divided when it is too long, much longer than a neighbour, or at too sharp a bend.

    Args:
        Q: (N, n) joints.
        weight: (n,) makes joints comparable.
        longest: Largest weighted length of a cell.
        sharpest: Largest angle between two cells, radians.
        parts: (N - 1,) written; 1 where the cell stays as it is.

    Returns:
        How many cells are to be divided.
    """
    N, n = Q.shape
    before = 0.0
    for i in range(N - 1):
        length2, dot = 0.0, 0.0
        for j in range(n):
            d = (Q[i + 1, j] - Q[i, j]) * weight[j]
            length2 += d * d
            if i > 0:
                dot += d * (Q[i, j] - Q[i - 1, j]) * weight[j]
        length = math.sqrt(length2)
        parts[i] = min(MOST, int(length / longest) + 1)
        if i > 0 and before > 1e-9 and length > 1e-9:
            bend = math.acos(min(1.0, max(-1.0, dot / (before * length))))
            if bend > sharpest:
                count = min(MOST, int(bend / sharpest) + 1)
                # Only the longer of two cells, unless both are alike: dividing the short one helps nobody.
                if length > 0.5 * before:
                    parts[i] = max(parts[i], count)
                if before > 0.5 * length:
                    parts[i - 1] = max(parts[i - 1], count)
        # A long cell beside a short one is as rough as the short one tells.
        if i > 0 and before > 1e-6:
            if length > 4.0 * before:
                parts[i] = max(parts[i], 2)
            elif before > 4.0 * length > 1e-6:
                parts[i - 1] = max(parts[i - 1], 2)
        before = length
    count = 0
    for i in range(N - 1):
        if parts[i] > 1:
            count += 1
    return count
