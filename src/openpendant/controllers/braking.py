"""Come to rest within the limits of acceleration: along a sampled path, or joint by joint where there is none."""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["brake_along", "brake_joints", "stop_time_s"]

Array = NDArray[np.float64]

STRETCHES = (1.0, 1.25, 1.6, 2.0, 2.5, 3.0)
"""A path that turns takes a part of the acceleration for itself, so the ramp may have to be longer."""
STEEPEST = 1.875
"""Greatest slope of the smooth ramp, for a ramp of height and length 1."""
BENDIEST = 5.78
"""Its greatest bend."""
WITHIN = 1.0 + 1e-6


def brake_along(Q: Array, acceleration: Array, dt: float, jerk: Array | None = None) -> Array:
    """Return how the rows of a path are left: slower and slower, along the same path, until it rests on it.

    Args:
        Q: (N, n): the row before last, the row where the arm is now, and all rows that would come.
        acceleration: (n,): largest. Where the path itself takes more, the gentlest of some ramps is taken.
        dt: Seconds between rows.
        jerk: (n,): largest; None: any.

    Returns:
        (M, n): rows from the next tick on; the last is where the arm rests.
    """
    if len(Q) < 3:
        return Q[-1:].copy()
    best: tuple[float, Array] | None = None
    needed = stop_time_s((Q[1] - Q[0]) / dt, acceleration, jerk)
    for stretch in STRETCHES:
        rows = _along(Q, stretch * needed, dt)
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


def stop_time_s(qd: Array, acceleration: Array, jerk: Array | None = None) -> float:
    """Return how long a smooth ramp from these velocities to rest takes; along a path it is up to three times that."""
    time = STEEPEST * float((np.abs(qd) / acceleration).max())
    if jerk is not None:
        time = max(time, math.sqrt(BENDIEST * float((np.abs(qd) / jerk).max())))
    return time


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
