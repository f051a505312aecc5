"""The fastest way along a path under velocity and acceleration limits: backward, then forward.

With z = ṡ² and constant s̈ inside a cell, x and y = z at the ends of a cell obey linear constraints:
joint acceleration q′ s̈ + q″ z at both ends of the cell, s̈ = (y - x) / 2h. For each x they leave an
interval of y. Backward: the largest x for which a y under the bound remains. Forward: the largest y.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

__all__ = ["fastest"]

Array = NDArray[np.float64]


@jit
def _bounds(h2: float, p0: Array, c0: Array, p1: Array, c1: Array, a0: Array, a1: Array, x: float, out: Array) -> None:
    """Write for a given x: the least and largest y with their slopes, and the largest x where y does not count."""
    low, low_slope, high, high_slope, cap = 0.0, 0.0, math.inf, 0.0, math.inf
    for j in range(p0.shape[0]):
        for end in range(2):
            if end == 0:
                c = p0[j] / h2
                d = c0[j] - c
                a = a0[j]
            else:
                d = -p1[j] / h2
                c = c1[j] - d
                a = a1[j]
            if c < 0.0:
                c, d = -c, -d
            if c < 1e-12 * abs(d) or c == 0.0:
                if abs(d) * cap > a:
                    cap = a / abs(d)
                continue
            top = (a - d * x) / c
            if top < high:
                high, high_slope = top, -d / c
            bottom = (-a - d * x) / c
            if bottom > low:
                low, low_slope = bottom, -d / c
    out[0], out[1], out[2], out[3], out[4] = low, low_slope, high, high_slope, cap


@jit
def fastest(
    s: Array, Q1: Array, Q2: Array, acceleration: Array, share: Array, cap: Array, ends: Array, z: Array
) -> None:
    """Write the largest z = ṡ² at every knot.

    Args:
        s: (N,) knots.
        Q1: (N, n) first derivatives by s.
        Q2: (N, n) second derivatives by s.
        acceleration: (n,) limits.
        share: (N,) part of the acceleration that may be used at each knot.
        cap: (N,) largest z at each knot.
        ends: z at the first and last knot, at most.
        z: (N,) written.
    """
    N, n = Q1.shape
    a0, a1, b = np.empty(n), np.empty(n), np.empty(5)
    z[N - 1] = min(ends[1], cap[N - 1])
    for i in range(N - 2, -1, -1):
        h2 = 2.0 * (s[i + 1] - s[i])
        for j in range(n):
            a0[j] = acceleration[j] * share[i]
            a1[j] = acceleration[j] * share[i + 1]
        top = z[i + 1]
        x = cap[i]
        for _ in range(40):
            _bounds(h2, Q1[i], Q2[i], Q1[i + 1], Q2[i + 1], a0, a1, x, b)
            if x > b[4]:
                x = b[4]
                continue
            if top < b[2]:
                gap, slope = b[0] - top, b[1]
            else:
                gap, slope = b[0] - b[2], b[1] - b[3]
            # Convex in x and not positive at 0: Newton from the right ends at the root.
            if gap <= 1e-12 * top or slope <= 0.0:
                break
            x = max(0.0, x - gap / slope)
        z[i] = x
    z[0] = min(z[0], ends[0])
    for i in range(N - 1):
        h2 = 2.0 * (s[i + 1] - s[i])
        for j in range(n):
            a0[j] = acceleration[j] * share[i]
            a1[j] = acceleration[j] * share[i + 1]
        _bounds(h2, Q1[i], Q2[i], Q1[i + 1], Q2[i + 1], a0, a1, z[i], b)
        z[i + 1] = min(z[i + 1], max(b[2], 0.0))
