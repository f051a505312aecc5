"""How one joint comes to rest as soon as its acceleration and jerk allow, from any velocity and acceleration.

A stop is three phases of constant jerk: the acceleration goes to -A (or as far as needed), stays, and comes back to
zero together with the velocity. All that is asked of it has a closed form.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

__all__ = ["STOP", "go_along", "plan_stop", "stop_extent"]

Array = NDArray[np.float64]

STOP = 6
"""Numbers of a stop: velocity, acceleration, jerk of the first phase, lengths of the three phases in seconds."""


@jit
def plan_stop(v: float, a: float, most_a: float, most_j: float, stop: Array) -> None:
    """Write the fastest stop of a joint.

    Args:
        v: Velocity now.
        a: Acceleration now, not above `most_a`.
        most_a: Largest acceleration.
        most_j: Largest jerk.
        stop: (STOP,): written.
    """
    # Where the velocity goes when the acceleration is only let go decides to which side the joint has to brake.
    side = 1.0 if v + a * abs(a) / (2.0 * most_j) > 0.0 else -1.0
    v0, a0 = side * v, side * a
    # Peak deceleration p without a plateau: v0 + (a0² - p²)/(2J) - p²/(2J) = 0.
    p = math.sqrt(max(0.0, most_j * v0 + 0.5 * a0 * a0))
    if p <= most_a:
        t1, t2, t3 = (a0 + p) / most_j, 0.0, p / most_j
    else:
        p = most_a
        t1, t3 = (a0 + p) / most_j, p / most_j
        left = v0 + (a0 * a0 - 2.0 * p * p) / (2.0 * most_j)
        t2 = max(0.0, left / p)
    stop[0], stop[1], stop[2] = v, a, -side * most_j
    stop[3], stop[4], stop[5] = max(0.0, t1), t2, t3


@jit
def go_along(stop: Array, t: float) -> tuple[float, float, float]:
    """Return how far the joint has come after t seconds of a stop, its velocity and its acceleration."""
    x, v, a = 0.0, stop[0], stop[1]
    for phase in range(3):
        h = min(t, stop[3 + phase])
        j = stop[2] if phase == 0 else (-stop[2] if phase == 2 else 0.0)
        x += h * (v + h * (a / 2.0 + h * j / 6.0))
        v += h * (a + h * j / 2.0)
        a += h * j
        t -= h
        if t <= 0.0:
            return x, v, a
    return x, 0.0, 0.0


@jit
def stop_extent(stop: Array, out: Array) -> None:
    """Write of a stop: the lowest and highest place on the way, its end, its time, the greatest speed on the way."""
    x = low = high = 0.0
    v, a = float(stop[0]), float(stop[1])
    fastest = abs(v)
    for phase in range(3):
        h, j = float(stop[3 + phase]), float(stop[2])
        j = j if phase == 0 else (-j if phase == 2 else 0.0)
        # Turning points of the place are roots of the velocity, those of the velocity roots of the acceleration.
        if j != 0.0:
            root = a * a - 2.0 * j * v
            if root > 0.0:
                for sign in (-1.0, 1.0):
                    t = (-a + sign * math.sqrt(root)) / j
                    if 0.0 < t < h:
                        turn = x + t * (v + t * (a / 2.0 + t * j / 6.0))
                        low, high = min(low, turn), max(high, turn)
            t = -a / j
            if 0.0 < t < h:
                fastest = max(fastest, abs(v + t * (a + t * j / 2.0)))
        elif a != 0.0 and 0.0 < -v / a < h:
            turn = x - v * v / (2.0 * a)
            low, high = min(low, turn), max(high, turn)
        x += h * (v + h * (a / 2.0 + h * j / 6.0))
        v += h * (a + h * j / 2.0)
        a += h * j
        low, high, fastest = min(low, x), max(high, x), max(fastest, abs(v))
    out[0], out[1], out[2], out[3], out[4] = low, high, x, stop[3] + stop[4] + stop[5], fastest
