"""Come to rest with stop limits: along a sampled path, or straight in joint space if there is none."""

import math

import numpy as np
from numpy.typing import NDArray

from .kernels.stop import halt

Array = NDArray[np.float64]

LONGEST_S = 2.0
"""Rows of a stop are made for this time at first; more are made if that is not enough."""


def brake_along(Q: Array, deceleration: Array, jerk: Array, dt: float) -> Array:
    """Return the shortest stop along a path: slower at every tick from the next one on, until the arm rests on it.

    Args:
        Q: (N, n): the row before last, the row where the arm is now, and all rows that would come.
        deceleration: (n,): largest of the joints. Where the path itself takes more, what strains them least is taken.
        jerk: (n,): how fast the deceleration rises from 0, and is released.
        dt: Seconds between rows.

    Returns:
        (M, n): rows from the next tick on; the last is where the arm rests.
    """
    if len(Q) < 3:
        return Q[-1:].copy()
    # Copies: for arrays that cannot be written to, the kernel would be compiled once more, in the middle of a stop.
    path, most, rise = (np.array(one, dtype=np.float64, order="C") for one in (Q, deceleration, jerk))
    count = round(LONGEST_S / dt)
    while True:
        rows = np.empty((count, path.shape[1]))
        made = halt(path, most, rise, dt, rows)
        if made < count:
            return rows[:made]
        count *= 4


def stop_time_s(qd: Array, deceleration: Array, jerk: Array) -> float:
    """Return how long the shortest stop from these velocities takes, straight in joint space."""
    v = np.abs(qd)
    plateau = v / deceleration + deceleration / jerk
    return float(np.where(v * jerk >= deceleration * deceleration, plateau, 2.0 * np.sqrt(v / jerk)).max())


def brake_joints(q: Array, qd: Array, deceleration: Array, jerk: Array, dt: float) -> Array:
    """Return (M, n): rows from the next tick on, by which all joints come to rest together, straight in joint space."""
    ticks = math.ceil(stop_time_s(qd, deceleration, jerk) / dt) + 2
    line = q + np.arange(-1.0, ticks + 1.0)[:, None] * (dt * qd)
    return brake_along(line, deceleration, jerk, dt)
