"""The next row of a checked path against the limits of the joints.

Derivation: velocity and acceleration of a row are the first and second differences of setpoints over the tick. The
time of a stop from |v| with deceleration D that rises and is released with jerk J: where D is reached, |v| / D + D /
J; else two equal ramps whose areas make up |v|, so that 2 √(|v| / J) pass.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .shape import Shape, fastest_speed
from .step import POS, VEL

Array = NDArray[np.float64]

VELOCITY, ACCELERATION, POSITION = 1, 2, 3
"""Which limit a row passes."""
ROUNDING = 1e-6


@jit
def judge_row(
    state: Array, row: Array, dt: float, most: Array, stop: Array, shape: Shape, work: Array, v: Array, out: Array
) -> int:
    """Compare a row with the limits of the joints.

    Args:
        state: (n, …): as `step` has it.
        row: (n,): where the joints should be after a tick.
        dt: Seconds.
        most: (5, n): lower, upper, velocity, acceleration, and acceleration of a path that slows down.
        stop: (2, n): deceleration and jerk of stops.
        shape: The arm.
        work: Space to work in, as `work_space`.
        v: (n,): written; velocity of the tick.
        out: (5,): written; joint and value that pass a limit, that limit; speed of the fastest of the tool's point and
            the joints' centres; seconds of the shortest stop from there.

    Returns:
        Which limit is passed; 0: none.
    """
    n = state.shape[0]
    now = before = longest = 0.0
    for i in range(n):
        v[i] = (row[i] - state[i, POS]) / dt
        now += v[i] * v[i]
        before += state[i, VEL] * state[i, VEL]
    for i in range(n):
        if abs(v[i]) > most[2, i] + ROUNDING:
            out[0], out[1], out[2] = i, v[i], most[2, i]
            return VELOCITY
    # A path that slows down may be a stop: those have limits of their own.
    felt = most[4] if now <= before else most[3]
    for i in range(n):
        a = (v[i] - state[i, VEL]) / dt
        if abs(a) > felt[i] + ROUNDING:
            out[0], out[1], out[2] = i, a, felt[i]
            return ACCELERATION
    for i in range(n):
        if row[i] < most[0, i] - ROUNDING or row[i] > most[1, i] + ROUNDING:
            out[0], out[1] = i, row[i]
            return POSITION
        speed, hard, jerk = abs(v[i]), stop[0, i], stop[1, i]
        seconds = speed / hard + hard / jerk if speed * jerk >= hard * hard else 2.0 * math.sqrt(speed / jerk)
        longest = max(longest, seconds)
    out[3], out[4] = fastest_speed(shape, row, v, work), longest
    return 0
