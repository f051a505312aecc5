"""The fastest way along a path under velocity and acceleration limits: backward, then forward.

With z = ṡ² and constant s̈ inside a cell, x and y = z at the ends of a cell obey linear constraints:
joint acceleration q′ s̈ + q″ z at both ends of the cell, s̈ = (y - x) / 2h. For each x they leave an
interval of y. Backward: the largest x for which a y under the bound remains. Forward: the largest y.

Source: constraints linear in z, D. Verscheure et al., Time-optimal path tracking for robots: a convex optimization
approach, IEEE Trans. Automatic Control 54(10), 2009; the two passes, H. Pham and Q.-C. Pham, A new approach to
time-optimal path parameterization based on reachability analysis, IEEE Trans. Robotics 34(3), 2018.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]

FREE = 1e300


@jit
def constraints(s: Array, Q1: Array, Q2: Array, acceleration: Array, rows: Array, steep: Array) -> None:
    """Write the constraints of every cell, y ≤ share · p - r · x and y ≥ -share · p - r · x.

    They depend on the path alone: written once for a grid, they serve every search on it.

    Args:
        s: (N,) knots.
        Q1: (N, n) first derivatives by s.
        Q2: (N, n) second derivatives by s.
        acceleration: (n,) limits.
        rows: (N - 1, 4, n) written: p and r at the start of the cell, p and r at its end.
        steep: (N - 1,) written: the largest x / share where y does not count.
    """
    n = Q1.shape[1]
    for i in range(s.shape[0] - 1):
        f = 0.5 / (s[i + 1] - s[i])
        cap = FREE
        for j in range(n):
            for end in range(2):
                if end == 0:
                    c = Q1[i, j] * f
                    d = Q2[i, j] - c
                else:
                    d = -Q1[i + 1, j] * f
                    c = Q2[i + 1, j] - d
                if c < 0.0:
                    c, d = -c, -d
                if c < 1e-12 * abs(d) or c == 0.0:
                    cap = min(cap, acceleration[j] / max(abs(d), 1e-300))
                    rows[i, 2 * end, j], rows[i, 2 * end + 1, j] = FREE, 0.0
                else:
                    rows[i, 2 * end, j], rows[i, 2 * end + 1, j] = acceleration[j] / c, d / c
        steep[i] = cap


@jit
def fastest(rows: Array, steep: Array, share: Array, cap: Array, ends: Array, z: Array) -> None:
    """Write the largest z = ṡ² at every knot.

    Args:
        rows: (N - 1, 4, n) as `constraints` writes them.
        steep: (N - 1,) the same.
        share: (N,) part of the acceleration that may be used at each knot.
        cap: (N,) largest z at each knot.
        ends: z at the first and last knot, at most.
        z: (N,) written.
    """
    N, n = share.shape[0], rows.shape[2]
    z[N - 1] = min(ends[1], cap[N - 1])
    for i in range(N - 2, -1, -1):
        f0, f1 = share[i], share[i + 1]
        top = z[i + 1]
        x = min(cap[i], steep[i] * min(f0, f1))
        for _ in range(40):
            low, low_slope, high, high_slope = 0.0, 0.0, top, 0.0
            for j in range(n):
                p, r = f0 * rows[i, 0, j], rows[i, 1, j]
                y = r * x
                if p - y < high:
                    high, high_slope = p - y, -r
                if -p - y > low:
                    low, low_slope = -p - y, -r
                p, r = f1 * rows[i, 2, j], rows[i, 3, j]
                y = r * x
                if p - y < high:
                    high, high_slope = p - y, -r
                if -p - y > low:
                    low, low_slope = -p - y, -r
            # Convex in x and not positive at 0: Newton from the right ends at the root.
            gap, slope = low - high, low_slope - high_slope
            if gap <= 1e-12 * top or slope <= 0.0:
                break
            x = max(0.0, x - gap / slope)
        z[i] = x
    z[0] = min(z[0], ends[0])
    for i in range(N - 1):
        f0, f1 = share[i], share[i + 1]
        x, high = z[i], math.inf
        for j in range(n):
            high = min(high, f0 * rows[i, 0, j] - rows[i, 1, j] * x, f1 * rows[i, 2, j] - rows[i, 3, j] * x)
        z[i + 1] = min(z[i + 1], max(high, 0.0))
