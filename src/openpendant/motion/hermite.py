"""Quintic curves with given position, first and second derivative at both ends: what corners are made of."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def quintic(start: tuple[Array, Array, Array], end: tuple[Array, Array, Array], length: float) -> Array:
    """Return the (6, n) coefficients of powers of x = w / length.

    Args:
        start: Value, first and second derivative by w at w = 0.
        end: The same at w = length.
        length: Of the parameter w.
    """
    p0, v0, a0 = start[0], start[1] * length, start[2] * length**2
    p1, v1, a1 = end[0], end[1] * length, end[2] * length**2
    d = p1 - p0
    return np.array(
        [
            p0,
            v0,
            0.5 * a0,
            10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1,
            -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1,
            6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1),
        ]
    )
