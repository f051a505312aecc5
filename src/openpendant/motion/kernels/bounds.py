"""How a law of constant s̈ in each cell of the grid stands to the limits of velocity and acceleration.

There z = ṡ² is linear in s, so the acceleration of a joint, q″ z + q′ s̈, is a polynomial of degree four in s: its
Bernstein coefficients enclose it, and nothing can hide between two looks. Velocity is looked at five times a cell.

Source: R. T. Farouki, The Bernstein polynomial basis: a centennial retrospective, Computer Aided Geometric Design
29(6), 2012.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .spline import derivatives

Array = NDArray[np.float64]


@jit
def bounds(s: Array, cells: Array, g: Array, z: Array, limits: Array, asked: Array, out: Array) -> None:
    """Write for every cell of the grid the ratios of velocity and acceleration to their limits.

    Args:
        s: (N,) knots of the path.
        cells: (N - 1, 6, n) the path.
        g: (G,) the grid; it has every knot.
        z: (G,) ṡ² at the grid.
        limits: (2 or more, n) velocity, acceleration.
        asked: (N,) largest ṡ asked for at the knots, linear between.
        out: (G - 1, 2) written.
    """
    C, n = cells.shape[0], cells.shape[2]
    k = 0
    for i in range(g.shape[0] - 1):
        while k < C - 1 and s[k + 1] <= g[i]:
            k += 1
        h = g[i + 1] - g[i]
        x = g[i] - s[k]
        z0, z1 = z[i], z[i + 1]
        u = 0.5 * (z1 - z0) / h
        v0, v1 = math.sqrt(z0), math.sqrt(z1)
        slope = (asked[k + 1] - asked[k]) / (s[k + 1] - s[k])
        start = asked[k] + x * slope
        za, zb, zc = 0.75 * z0 + 0.25 * z1, 0.5 * (z0 + z1), 0.25 * z0 + 0.75 * z1
        va, vb, vc = math.sqrt(za), math.sqrt(zb), math.sqrt(zc)
        velocity = max(v0 / start, vb / (start + 0.5 * h * slope), v1 / (start + h * slope))
        top = 0.0
        for j in range(n):
            p0, a0, _ = derivatives(cells, k, x, j)
            p1, a1, _ = derivatives(cells, k, x + 0.25 * h, j)
            p2, a2, _ = derivatives(cells, k, x + 0.5 * h, j)
            p3, a3, _ = derivatives(cells, k, x + 0.75 * h, j)
            p4, a4, _ = derivatives(cells, k, x + h, j)
            a0 = a0 * z0 + p0 * u
            a1 = a1 * za + p1 * u
            a2 = a2 * zb + p2 * u
            a3 = a3 * zc + p3 * u
            a4 = a4 * z1 + p4 * u
            # From five values to the Bernstein form of degree four.
            b1 = (-13.0 * a0 + 48.0 * a1 - 36.0 * a2 + 16.0 * a3 - 3.0 * a4) / 12.0
            b2 = (13.0 * a0 - 64.0 * a1 + 120.0 * a2 - 64.0 * a3 + 13.0 * a4) / 18.0
            b3 = (-3.0 * a0 + 16.0 * a1 - 36.0 * a2 + 48.0 * a3 - 13.0 * a4) / 12.0
            top = max(top, max(abs(a0), abs(b1), abs(b2), abs(b3), abs(a4)) / limits[1, j])
            fast = max(abs(p0) * v0, abs(p1) * va, abs(p2) * vb, abs(p3) * vc, abs(p4) * v1)
            velocity = max(velocity, fast / limits[0, j])
        out[i, 0], out[i, 1] = velocity, top
