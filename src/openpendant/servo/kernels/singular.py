"""Damping near singular postures.

There J changes faster than joints can answer; undamped, an arm at the edge of its reach would shake.

The weakest direction is followed from tick to tick.

Source: A. A. Maciejewski and C. A. Klein, Numerical filtering for the operation of robotic manipulators through
kinematically singular configurations, Journal of Robotic Systems 5(6), 1988.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]

NEAR = 0.25
"""Below this least singular value (lengths in units of 0.25 m) damping begins."""
FOLD_FROM = 0.6
"""Below this one the edge of reach is watched,"""
FOLD = 0.05
"""where the value changes so much with the weakest motion."""
APPROACH = 4.0
"""1/s: the edge is approached with this times the distance from it, so that joints can brake."""
EDGE = 0.01
"""Nearer to a fold no tool is driven."""


@jit
def _weakest(J: Array, scale: Array, u: Array, v: Array) -> float:
    """Return the least singular value of the first rows of J, as many as u has, times scale.

    Two inverse iterations from the last answer.

    Args:
        J: (6, n).
        scale: (6,): of each row.
        u: The direction of the tool that is weakest; changed.
        v: (n,): written: the unit motion of the joints that belongs to it; zero where the tool does not move at all.
    """
    m, n = u.shape[0], J.shape[1]
    L = np.zeros((m, m))
    x = np.empty(m)
    for r in range(m):
        for c in range(r + 1):
            g = 1e-10 if r == c else 0.0
            for j in range(n):
                g += scale[r] * scale[c] * J[r, j] * J[c, j]
            for k in range(c):
                g -= L[r, k] * L[c, k]
            L[r, c] = math.sqrt(max(g, 1e-14)) if r == c else g / L[c, c]
    inverse = 0.0
    for _ in range(2):
        for r in range(m):
            x[r] = u[r]
            for k in range(r):
                x[r] -= L[r, k] * x[k]
            x[r] /= L[r, r]
        for r in range(m - 1, -1, -1):
            for k in range(r + 1, m):
                x[r] -= L[k, r] * x[k]
            x[r] /= L[r, r]
        inverse = 0.0
        for r in range(m):
            inverse += x[r] * x[r]
        inverse = math.sqrt(inverse)
        for r in range(m):
            u[r] = x[r] / inverse
    size = 0.0
    for j in range(n):
        v[j] = 0.0
        for r in range(m):
            v[j] += scale[r] * J[r, j] * u[r]
        size += v[j] * v[j]
    size = math.sqrt(size)
    for j in range(n):
        v[j] = v[j] / size if size > 1e-7 else 0.0
    return size


@jit
def _fold(chain: Array, places: Array, J: Array, scale: Array, u: Array, v: Array) -> float:
    """Return how the singular value changes along v: uᵀ (∂J/∂v) v.

    Not zero: a fold, the edge of what can be reached (a stretched elbow), where the tool can only turn back.
    Zero: the tool stands still along v (two axes of a wrist in one line), and the posture can be passed through.
    """
    n = chain.shape[0]
    total = 0.0
    for i in range(n):
        j = int(chain[i, 16])
        for m in range(i, n):
            if chain[i, 15] != 0.0:
                continue
            k = int(chain[m, 16])
            x, y, z = places[i, 3], places[i, 4], places[i, 5]
            # Joint i, nearer to the base, turns the effect of joint m.
            part = scale[0] * (
                u[0] * (y * J[2, k] - z * J[1, k])
                + u[1] * (z * J[0, k] - x * J[2, k])
                + u[2] * (x * J[1, k] - y * J[0, k])
            )
            total += part * v[j] * v[k] * (1.0 if m == i else 2.0)
            if u.shape[0] == 6 and m > i:
                part = (
                    u[3] * (y * J[5, k] - z * J[4, k])
                    + u[4] * (z * J[3, k] - x * J[5, k])
                    + u[5] * (x * J[4, k] - y * J[3, k])
                )
                total += part * v[j] * v[k]
    return total


@jit
def guard(
    chain: Array,
    places: Array,
    J: Array,
    scale: Array,
    damping: Array,
    weak: Array,
    wish: Array,
    H: Array,
    rows: Array,
    least: Array,
) -> None:
    """Add damping to H, and let the arm approach the edge of what it can reach no faster than it can brake.

    Args:
        chain: As `place_chain`.
        places: As `place_chain` writes them.
        J: (6, n).
        scale: (6,): of its rows.
        damping: (2,): the most damping of all motions, by the least singular value of J; and of the one motion that
            hardly moves the tool's point any more. None at a singular value of NEAR, all at 0.
        weak: (10,): the weakest directions of the tick before, of J and of its linear rows; then whether the wish was
            too much for the edge; changed.
        wish: (6,): velocity of the tool, times scale; what cannot be had is taken away.
        H: (n, n): changed.
        rows: (2, n): written.
        least: (2,): written: the least that the rows, times the joint velocities, may be.
    """
    n = J.shape[1]
    v = np.empty(n)
    weak[9] = 0.0
    for part in range(2):
        u = weak[:6] if part == 0 else weak[6:9]
        sigma = _weakest(J, scale, u, v)
        if sigma < NEAR:
            mu = damping[part] * (1.0 - sigma / NEAR) ** 2
            for i in range(n):
                if part == 0:
                    H[i, i] += mu
                else:
                    for j in range(n):
                        H[i, j] += mu * v[i] * v[j]
        rows[part, :] = 0.0
        rows[part, 0] = 1.0
        least[part] = -1e6
        if sigma < FOLD_FROM:
            fold = _fold(chain, places, J, scale, u, v)
            if abs(fold) > FOLD:
                for j in range(n):
                    rows[part, j] = v[j] if fold > 0.0 else -v[j]
                least[part] = -APPROACH * max(sigma - EDGE, 0.0) / abs(fold)
                along = 0.0
                for r in range(u.shape[0]):
                    along += u[r] * wish[r]
                over = sigma * least[part] - (along if fold > 0.0 else -along)
                if over > 0.0:
                    weak[9] = 1.0
                    for r in range(u.shape[0]):
                        wish[r] += over * (u[r] if fold > 0.0 else -u[r])
