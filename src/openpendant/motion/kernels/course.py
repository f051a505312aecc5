"""A course laid through points, and what the tool does on it: the small steps that every leg and corner needs.

Derivation: the tool's speed by s is half of its difference between a step ahead and a step behind, over that step
(central difference, an error of second order). A turn by a small angle φ changes the rotation matrix by √2 φ
(Frobenius norm). The length of a cell is Simpson's rule over its two ends and its middle.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .spline import chords, derivatives, fit_block, quintic_cells

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

FASTEST = 1e9
"""Largest ṡ that is written where none is asked for."""


@jit
def lay(Q: Array, bounds: Ints, kinds: Ints, weight: Array, knots: Array, cells: Array) -> None:
    """Write knots and cells of the path through points.

    Args:
        Q: (N, n) joints.
        bounds: (B + 1,) where each block begins, and where the last one ends.
        kinds: (B,) 0 followed legs, 1 corners, 2 straight legs. What is higher counts at a seam: corners are finer
            than followed legs, and straight legs are exact.
        weight: (n,) makes joints comparable.
        knots: (N,) written.
        cells: (N - 1, 6, n) written.
    """
    N, n = Q.shape
    D1, D2 = np.zeros((N, n)), np.zeros((N, n))
    s, d1, d2 = np.empty(N), np.empty((N, n)), np.empty((N, n))
    knots[0] = 0.0
    for kind in range(3):
        for block in range(kinds.shape[0]):
            if kinds[block] != kind:
                continue
            first, size = bounds[block], bounds[block + 1] - bounds[block] + 1
            points = Q[first : first + size]
            if kind == 2:
                chords(points, weight, s[:size])
                for j in range(n):
                    rate = (points[size - 1, j] - points[0, j]) / s[size - 1]
                    for i in range(size):
                        D1[first + i, j], D2[first + i, j] = rate, 0.0
            else:
                fit_block(points, weight, s[:size], d1[:size], d2[:size])
                for i in range(size):
                    for j in range(n):
                        D1[first + i, j], D2[first + i, j] = d1[i, j], d2[i, j]
            for i in range(1, size):
                knots[first + i] = s[i] - s[i - 1]
    for i in range(1, N):
        knots[i] += knots[i - 1]
    quintic_cells(knots, Q, D1, D2, cells)


@jit
def lay_around(s: Array, cells: Array, weight: Array, step: float, Q: Array, joint: Array) -> None:
    """Write joints a small step ahead of and behind every knot and middle of a cell.

    Args:
        s: (C + 1,) knots.
        cells: (C, 6, n) the path.
        weight: (n,) makes joints comparable.
        step: Of s.
        Q: (2, 2 C + 1, n) written, ahead and behind: knots at even places, middles at odd ones.
        joint: (2 C + 1,) written: the largest weighted rate of a joint there.
    """
    C, n = cells.shape[0], cells.shape[2]
    for i in range(2 * C + 1):
        k = min(i // 2, C - 1)
        x = 0.5 * (i - 2 * k) * (s[k + 1] - s[k])
        most = 0.0
        for j in range(n):
            value = cells[k, 5, j]
            for power in range(4, -1, -1):
                value = value * x + cells[k, power, j]
            rate = derivatives(cells, k, x, j)[0]
            Q[0, i, j], Q[1, i, j] = value + step * rate, value - step * rate
            most = max(most, abs(rate) * weight[j])
        joint[i] = most


@jit
def allowed_rates(
    s: Array, T: Array, joint: Array, speeds: Array, step: float, asked: Array, way_m: Array, way_rate: Array
) -> None:
    """Write the largest ṡ at the knots that keeps the asked speeds, the tool's way to them and its derivative.

    Args:
        s: (C + 1,) knots.
        T: (2 · (2 C + 1), 4, 4) poses of the tool ahead of and behind the places that `lay_around` wrote.
        joint: (2 C + 1,) as `lay_around` wrote it.
        speeds: (C, 3) of each cell: of the tool, of its turning, and as a part of the joints' largest.
        step: As given to `lay_around`.
        asked: (C + 1,) written.
        way_m: (C + 1,) written.
        way_rate: (C + 1,) written.
    """
    P = joint.shape[0]
    C = (P - 1) // 2
    way, turn = np.empty(P), np.empty(P)
    for i in range(P):
        far, spin = 0.0, 0.0
        for a in range(3):
            d = T[i, a, 3] - T[P + i, a, 3]
            far += d * d
            for b in range(3):
                d = T[i, a, b] - T[P + i, a, b]
                spin += d * d
        way[i] = math.sqrt(far) / (2.0 * step)
        turn[i] = math.sqrt(spin) / (2.0 * step * math.sqrt(2.0))
    asked[:] = FASTEST
    for k in range(C):
        asked[k] = min(asked[k], _allowed(way, turn, joint, speeds, 2 * k, k))
        asked[k + 1] = min(asked[k + 1], _allowed(way, turn, joint, speeds, 2 * k + 2, k))
    # Where the middle of a cell allows less than the line between its ends, both ends give way.
    give = np.empty(C)
    for k in range(C):
        middle = 0.5 * (asked[k] + asked[k + 1])
        give[k] = min(1.0, _allowed(way, turn, joint, speeds, 2 * k + 1, k) / middle)
    way_m[0], way_rate[0] = 0.0, way[0]
    for k in range(C):
        asked[k] *= give[k]
        asked[k + 1] *= give[k]
        way_rate[k + 1] = way[2 * k + 2]
        length = (s[k + 1] - s[k]) * (way[2 * k] + 4.0 * way[2 * k + 1] + way[2 * k + 2]) / 6.0
        way_m[k + 1] = way_m[k] + length


@jit
def _allowed(way: Array, turn: Array, joint: Array, speeds: Array, place: int, cell: int) -> float:
    """Return the largest ṡ at a place, under the speeds of a cell."""
    return min(
        speeds[cell, 0] / max(way[place], 1e-12),
        speeds[cell, 1] / max(turn[place], 1e-12),
        speeds[cell, 2] / max(joint[place], 1e-12),
    )
