"""Come to rest within the limits of acceleration: along a sampled path, or joint by joint where there is none."""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["brake_along", "brake_joints"]

Array = NDArray[np.float64]

RAMPS_S = (0.02, 0.04, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.32, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3, 1.6, 2.0)
STEEPEST = 1.875
"""Greatest slope of the smooth ramp, for a ramp of height and length 1."""
WITHIN = 1.0 + 1e-6


def brake_along(Q: Array, acceleration: Array, dt: float, jerk: Array | None = None) -> Array:
    """Return how the rows of a path are left: slower and slower, along the same path, until it rests on it.

    Args:
        Q: (N, n): the row before last, the row where the arm is now, and all rows that would come.
        acceleration: (n,): largest. Where the path itself takes more, the gentlest ramp that is known is taken.
        dt: Seconds between rows.
        jerk: (n,): largest; None: any.

    Returns:
        (M, n): rows from the next tick on; the last is where the arm rests.
    """
    if len(Q) < 3:
        return Q[-1:].copy()
    best: tuple[float, Array] | None = None
    for ramp_s in RAMPS_S:
        rows = _along(Q, ramp_s, dt)
        whole = np.vstack([Q[:2], rows, rows[-1:], rows[-1:]])
        worst = float((np.abs(np.diff(whole, n=2, axis=0)) / dt**2 / acceleration).max())
        if jerk is not None:
            worst = max(worst, float((np.abs(np.diff(whole, n=3, axis=0)) / dt**3 / jerk).max()))
        if best is None or worst < best[0]:
            best = (worst, rows)
        if worst <= WITHIN:
            break
    assert best is not None  # noqa: S101 - there are always ramps
    return best[1]


def brake_joints(q: Array, qd: Array, acceleration: Array, dt: float) -> Array:
    """Return (M, n): rows from the next tick on, by which all joints come to rest together, straight in joint space."""
    longest = float((np.abs(qd) / acceleration).max())
    ticks = max(1, math.ceil(STEEPEST * longest / dt))
    pace = 1.0 - _smooth((np.arange(ticks) + 0.5) / ticks)
    return q + np.cumsum(pace)[:, None] * dt * qd


def _along(Q: Array, ramp_s: float, dt: float) -> Array:
    """Return the rows of a stop whose pace falls from 1 to 0 in `ramp_s`."""
    ticks = max(1, round(ramp_s / dt))
    pace = 1.0 - _smooth((np.arange(ticks) + 0.5) / ticks)
    places = np.minimum(1.0 + np.cumsum(pace), len(Q) - 1.0)
    at = np.minimum(places.astype(np.int64), len(Q) - 2)
    x = (places - at)[:, None]
    p0, p1 = Q[at], Q[at + 1]
    m0 = (p1 - Q[np.maximum(at - 1, 0)]) / 2.0
    m1 = (Q[np.minimum(at + 2, len(Q) - 1)] - p0) / 2.0
    return p0 + x * (m0 + x * (3.0 * (p1 - p0) - 2.0 * m0 - m1 + x * (2.0 * (p0 - p1) + m0 + m1)))


def _smooth(x: Array) -> Array:
    """Rise from 0 to 1 without a corner in velocity or acceleration."""
    return x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)
