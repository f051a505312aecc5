"""How one joint comes to rest with its stop limits, from any velocity and acceleration.

An acceleration that speeds it up is dropped at once. Then come three phases of constant jerk: the deceleration rises to
its largest (or as far as needed), stays, and is released as the velocity gets to zero. The joint never speeds up and
never turns round. All that is asked of a stop has a closed form.

Derivation: with the deceleration b now, its peak p and the jerk J, rising takes (p - b) / J and releasing p / J, and
the velocity lost meanwhile is (2 p² - b²) / 2J. Without a phase between, that is |v|: p = √(J |v| + b² / 2). Where p
would be above the largest deceleration, it is that one, held for as long as the velocity that is left takes. The
profile is half of the double S of L. Biagiotti and C. Melchiorri, Trajectory Planning for Automatic Machines and
Robots, Springer 2008, section 3.4.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]

STOP = 6
"""Numbers of a stop: velocity, acceleration, jerk of the first phase, lengths of the three phases in seconds."""


@jit
def plan_stop(v: float, a: float, most: float, jerk: float, stop: Array) -> None:
    """Write the fastest stop of a joint.

    Args:
        v: Velocity now.
        a: Acceleration now.
        most: Largest deceleration.
        jerk: How fast it rises and is released.
        stop: (STOP,): written.
    """
    side = 1.0 if v > 0.0 else -1.0
    speed = abs(v)
    # What could not be released before the joint rests is dropped too: it would turn the joint round.
    braked = min(max(0.0, -side * a), most, math.sqrt(2.0 * jerk * speed))
    peak, hold = math.sqrt(jerk * speed + 0.5 * braked * braked), 0.0
    if peak > most:
        peak = most
        hold = max(0.0, (speed - (2.0 * peak * peak - braked * braked) / (2.0 * jerk)) / peak)
    stop[0], stop[1], stop[2] = v, -side * braked, -side * jerk
    stop[3], stop[4], stop[5] = max(0.0, (peak - braked) / jerk), hold, peak / jerk


@jit
def stretch(v: float, a: float, most: float, jerk: float, seconds: float) -> float:
    """Return with which share of its stop limits a joint rests after `seconds`; 1 where it takes all of them."""
    speed, rise = abs(v), most / jerk
    if speed == 0.0:
        return 1.0
    if seconds <= 2.0 * rise:
        return min(1.0, 4.0 * speed / (jerk * seconds * seconds))
    braked = max(0.0, -a if v > 0.0 else a)
    # Seconds of a stop with the share 1 / y: rise + y (v / D - b / J) + y² b² / 2JD.
    square, line = 0.5 * braked * braked / (jerk * most), speed / most - braked / jerk
    if square < 1e-12:
        return min(1.0, speed / (most * (seconds - rise)))
    y = (math.sqrt(line * line + 4.0 * square * (seconds - rise)) - line) / (2.0 * square)
    return min(1.0, 1.0 / y)


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
def rest_of_stop(stop: Array, t: float, out: Array) -> None:
    """Write what is left of a stop after t seconds, as a stop."""
    _, out[0], out[1] = go_along(stop, t)
    out[2] = stop[2]
    for phase in range(3):
        h = min(t, stop[3 + phase])
        out[3 + phase] = stop[3 + phase] - h
        t -= h


@jit
def stop_extent(stop: Array, out: Array) -> None:
    """Write of a stop: the lowest and highest place on the path, its end, its time, the greatest speed."""
    seconds = stop[3] + stop[4] + stop[5]
    x, _, _ = go_along(stop, seconds)
    out[0], out[1], out[2], out[3], out[4] = min(x, 0.0), max(x, 0.0), x, seconds, abs(stop[0])
