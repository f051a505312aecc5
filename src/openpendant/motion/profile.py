"""profile: the fastest way from rest to rest over a distance under constant limits, in closed form."""

import math

import numpy as np
from numpy.typing import NDArray

from .kernels.rest_to_rest import MOST_SEGMENTS, eased

Array = NDArray[np.float64]

Ease = tuple[float, float]
"""At an end of a way: by how much less than all jerk is used (1 or more), and for how many seconds."""


def profile(distance: float, velocity: float, acceleration: float, jerk: float) -> tuple[Array, Array]:
    """Return breaks (M + 1,) and cubics (M, 4) of s(t), from 0 to `distance`, in at most seven segments.

    Jerk, acceleration and velocity are each at their limit or zero, if the distance allows it.

    Args:
        distance: Above 0.
        velocity: Largest ṡ.
        acceleration: Largest s̈.
        jerk: Largest s⃛, finite.
    """
    # Speeding up takes `ramp` seconds of rising s̈, the same of falling, and `steady` between; then `cruise`.
    ramp = min(acceleration / jerk, math.sqrt(velocity / jerk))
    steady = max(0.0, velocity / (jerk * ramp) - ramp)
    cruise = distance / (jerk * ramp * (ramp + steady)) - (2.0 * ramp + steady)
    if cruise < 0.0:
        cruise = 0.0
        ramp = min(ramp, math.cbrt(0.5 * distance / jerk))
        push = jerk * ramp
        # distance = push · (ramp + steady) · (2 ramp + steady)
        steady = max(0.0, 0.5 * (math.sqrt(ramp**2 + 4.0 * distance / push) - 3.0 * ramp))
    return _segments(
        [(ramp, jerk), (steady, 0.0), (ramp, -jerk), (cruise, 0.0), (ramp, -jerk), (steady, 0.0), (ramp, jerk)]
    )


def eased_profile(
    distance: float, velocity: float, acceleration: float, jerk: float, head: Ease, tail: Ease
) -> tuple[Array, Array]:
    """Return the same as `profile`, with less jerk at both ends, so that another motion can overlap with them."""
    breaks, law = np.empty(MOST_SEGMENTS + 1), np.empty((MOST_SEGMENTS, 4))
    count = eased(distance, velocity, acceleration, jerk, np.array([*head, *tail]), breaks, law)
    return breaks[: count + 1], law[:count]


def _segments(pieces: list[tuple[float, float]]) -> tuple[Array, Array]:
    """Return breaks and cubics of s(t) from rest, for times and jerks."""
    least = 1e-12 * sum(dt for dt, _ in pieces)
    breaks, law = [0.0], list[list[float]]()
    s, v, u = 0.0, 0.0, 0.0
    for dt, w in pieces:
        if dt <= least:
            continue
        law.append([s, v, 0.5 * u, w / 6.0])
        breaks.append(breaks[-1] + dt)
        s += dt * (v + dt * (0.5 * u + dt * w / 6.0))
        v += dt * (u + 0.5 * dt * w)
        u += dt * w
    return np.array(breaks), np.array(law)
