"""Joint paths through points: twice continuously differentiable, so velocity and acceleration never jump.

Slopes are found for each leg and corner by itself: one spline over all would ring on both sides of a seam,
where the third derivative jumps, and the arm would creep along a straight line for no reason.

Source: the cubic spline and its ends, C. de Boor, A Practical Guide to Splines, Springer 1978, chapter IV.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]


@jit
def chords(Q: Array, weight: Array, s: Array) -> None:
    """Write the knots: weighted length of the chords from the first point on."""
    s[0] = 0.0
    for i in range(Q.shape[0] - 1):
        total = 0.0
        for j in range(Q.shape[1]):
            d = (Q[i + 1, j] - Q[i, j]) * weight[j]
            total += d * d
        s[i + 1] = s[i] + math.sqrt(total)


@jit
def slopes(s: Array, Q: Array, D1: Array, D2: Array) -> None:
    """Write first and second derivatives at the knots, of the cubic spline through them.

    Its third derivative is continuous beside both ends ("not a knot"); at least four knots.

    Args:
        s: (N,) knots, rising.
        Q: (N, n) joints at the knots.
        D1: (N, n) written.
        D2: (N, n) written.
    """
    N, n = Q.shape
    diag, upper, lower = np.empty(N), np.empty(N), np.empty(N)
    for i in range(1, N - 1):
        h0, h1 = s[i] - s[i - 1], s[i + 1] - s[i]
        lower[i], diag[i], upper[i] = h0, 2.0 * (h0 + h1), h1
        for j in range(n):
            D2[i, j] = 6.0 * ((Q[i + 1, j] - Q[i, j]) / h1 - (Q[i, j] - Q[i - 1, j]) / h0)
    a, b = s[1] - s[0], s[2] - s[1]
    diag[1] += a * (1.0 + a / b)
    upper[1] -= a * a / b
    c, d = s[N - 1] - s[N - 2], s[N - 2] - s[N - 3]
    diag[N - 2] += c * (1.0 + c / d)
    lower[N - 2] -= c * c / d
    for i in range(2, N - 1):
        f = lower[i] / diag[i - 1]
        diag[i] -= f * upper[i - 1]
        for j in range(n):
            D2[i, j] -= f * D2[i - 1, j]
    for j in range(n):
        D2[N - 2, j] /= diag[N - 2]
    for i in range(N - 3, 0, -1):
        for j in range(n):
            D2[i, j] = (D2[i, j] - upper[i] * D2[i + 1, j]) / diag[i]
    for j in range(n):
        D2[0, j] = D2[1, j] + (D2[1, j] - D2[2, j]) * a / b
        D2[N - 1, j] = D2[N - 2, j] + (D2[N - 2, j] - D2[N - 3, j]) * c / d
    for i in range(N):
        k = min(i, N - 2)
        h = s[k + 1] - s[k]
        for j in range(n):
            chord = (Q[k + 1, j] - Q[k, j]) / h
            if i == k:
                D1[i, j] = chord - h * (2.0 * D2[k, j] + D2[k + 1, j]) / 6.0
            else:
                D1[i, j] = chord + h * (D2[k, j] + 2.0 * D2[k + 1, j]) / 6.0


@jit
def fit_block(Q: Array, weight: Array, s: Array, D1: Array, D2: Array) -> None:
    """Write knots that measure the weighted length of the curve, and the slopes of the spline through the points.

    Chords alone are too short by a part in ten thousand, not the same on both sides of a seam; the first
    derivatives there would differ by as much, and a tiny cell at the seam would turn that into a large jerk.

    Args:
        Q: (N, n) joints.
        weight: (n,) makes joints comparable.
        s: (N,) written, from 0.
        D1: (N, n) written.
        D2: (N, n) written.
    """
    N, n = Q.shape
    chords(Q, weight, s)
    for _ in range(2):
        slopes(s, Q, D1, D2)
        before, total = 0.0, 0.0
        for i in range(N - 1):
            h = s[i + 1] - before
            before = s[i + 1]
            length = 0.0
            for node in range(3):
                x = 0.5 + (node - 1) * 0.3872983346207417
                norm2 = 0.0
                for j in range(n):
                    rate = D1[i, j] + x * h * (D2[i, j] + 0.5 * x * (D2[i + 1, j] - D2[i, j]))
                    norm2 += (rate * weight[j]) ** 2
                length += (8.0 if node == 1 else 5.0) / 18.0 * math.sqrt(norm2)
            total += length * h
            s[i + 1] = total
    slopes(s, Q, D1, D2)


@jit
def quintic_cells(s: Array, Q: Array, D1: Array, D2: Array, cells: Array) -> None:
    """Write the quintics with given values, first and second derivatives at the knots.

    Args:
        s: (N,) knots.
        Q: (N, n) joints.
        D1: (N, n) first derivatives.
        D2: (N, n) second derivatives.
        cells: (N - 1, 6, n) written: coefficients of powers of (s - s[i]).
    """
    for i in range(Q.shape[0] - 1):
        h = s[i + 1] - s[i]
        for j in range(Q.shape[1]):
            v0, v1 = D1[i, j] * h, D1[i + 1, j] * h
            a0, a1 = D2[i, j] * h * h, D2[i + 1, j] * h * h
            d = Q[i + 1, j] - Q[i, j]
            cells[i, 0, j] = Q[i, j]
            cells[i, 1, j] = D1[i, j]
            cells[i, 2, j] = 0.5 * D2[i, j]
            cells[i, 3, j] = (10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1) / h**3
            cells[i, 4, j] = (-15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1) / h**4
            cells[i, 5, j] = (6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1)) / h**5


@jit
def derivatives(cells: Array, k: int, x: float, j: int) -> tuple[float, float, float]:
    """Return the first three derivatives of joint j in cell k at x behind its start."""
    c1, c2, c3, c4, c5 = cells[k, 1, j], cells[k, 2, j], cells[k, 3, j], cells[k, 4, j], cells[k, 5, j]
    q1 = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))
    q2 = 2.0 * c2 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))
    q3 = 6.0 * c3 + x * (24.0 * c4 + x * 60.0 * c5)
    return q1, q2, q3
