"""Cubic splines through joints: twice continuously differentiable, so velocity and acceleration never jump."""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

__all__ = ["chords", "derivatives", "fit"]

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
def fit(s: Array, Q: Array, cells: Array) -> None:
    """Fit the spline with continuous third derivative beside both ends ("not a knot").

    Args:
        s: (N,) knots, rising.
        Q: (N, n) joints at the knots.
        cells: (N - 1, 4, n) written: coefficients of powers of (s - s[i]).
    """
    N, n = Q.shape
    M = np.zeros((N, n))
    if N == 3:
        h0, h1 = s[1] - s[0], s[2] - s[1]
        for j in range(n):
            M[:, j] = 2.0 * ((Q[2, j] - Q[1, j]) / h1 - (Q[1, j] - Q[0, j]) / h0) / (h0 + h1)
    elif N > 3:
        diag, upper, lower = np.empty(N), np.empty(N), np.empty(N)
        for i in range(1, N - 1):
            h0, h1 = s[i] - s[i - 1], s[i + 1] - s[i]
            lower[i], diag[i], upper[i] = h0, 2.0 * (h0 + h1), h1
            for j in range(n):
                M[i, j] = 6.0 * ((Q[i + 1, j] - Q[i, j]) / h1 - (Q[i, j] - Q[i - 1, j]) / h0)
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
                M[i, j] -= f * M[i - 1, j]
        for j in range(n):
            M[N - 2, j] /= diag[N - 2]
        for i in range(N - 3, 0, -1):
            for j in range(n):
                M[i, j] = (M[i, j] - upper[i] * M[i + 1, j]) / diag[i]
        for j in range(n):
            M[0, j] = M[1, j] + (M[1, j] - M[2, j]) * a / b
            M[N - 1, j] = M[N - 2, j] + (M[N - 2, j] - M[N - 3, j]) * c / d
    for i in range(N - 1):
        h = s[i + 1] - s[i]
        for j in range(n):
            cells[i, 0, j] = Q[i, j]
            cells[i, 1, j] = (Q[i + 1, j] - Q[i, j]) / h - h * (2.0 * M[i, j] + M[i + 1, j]) / 6.0
            cells[i, 2, j] = 0.5 * M[i, j]
            cells[i, 3, j] = (M[i + 1, j] - M[i, j]) / (6.0 * h)


@jit
def derivatives(s: Array, cells: Array, Q1: Array, Q2: Array, Q3: Array) -> None:
    """Write first and second derivatives at the knots (N, n) and the third in the cells (N - 1, n)."""
    C, n = cells.shape[0], cells.shape[2]
    for i in range(C):
        for j in range(n):
            Q1[i, j] = cells[i, 1, j]
            Q2[i, j] = 2.0 * cells[i, 2, j]
            Q3[i, j] = 6.0 * cells[i, 3, j]
    h = s[C] - s[C - 1]
    for j in range(n):
        Q1[C, j] = cells[C - 1, 1, j] + h * (2.0 * cells[C - 1, 2, j] + 3.0 * h * cells[C - 1, 3, j])
        Q2[C, j] = 2.0 * cells[C - 1, 2, j] + 6.0 * h * cells[C - 1, 3, j]
