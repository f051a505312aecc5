"""The fastest way from rest to rest under constant limits, in closed form; gentler at its ends where asked.

The double S velocity profile, with a second, lower jerk for the first and last moments.

Source: L. Biagiotti and C. Melchiorri, Trajectory Planning for Automatic Machines and Robots, Springer 2008, section
3.4.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]

MOST_SEGMENTS = 9


@jit
def _speed_up(velocity: float, acceleration: float, jerk: float, less: float, time: float, out: Array) -> float:
    """Write times and jerks (4, 2) that lead from rest to a velocity; return the way that takes."""
    gentle, first = jerk / less, time
    peak = math.sqrt(2.0 * velocity / (1.0 / gentle + 1.0 / jerk))
    begun = gentle * first
    if peak <= begun:
        first, begun = peak / gentle, peak
    else:
        peak = math.sqrt(0.5 * (2.0 * jerk * (velocity - 0.5 * gentle * first**2) + begun**2))
    steady = 0.0
    if peak > acceleration:
        peak = acceleration
        if begun > peak:
            first, begun = peak / gentle, peak
        gained = 0.5 * gentle * first**2 + 0.5 * (peak**2 - begun**2) / jerk + 0.5 * peak**2 / jerk
        steady = (velocity - gained) / peak
    out[0, 0], out[0, 1] = first, gentle
    out[1, 0], out[1, 1] = (peak - begun) / jerk, jerk
    out[2, 0], out[2, 1] = steady, 0.0
    out[3, 0], out[3, 1] = peak / jerk, -jerk
    s, v, u = 0.0, 0.0, 0.0
    for i in range(4):
        dt, w = out[i, 0], out[i, 1]
        s += dt * (v + dt * (0.5 * u + dt * w / 6.0))
        v += dt * (u + 0.5 * dt * w)
        u += dt * w
    return s


@jit
def eased(
    distance: float, velocity: float, acceleration: float, jerk: float, ease: Array, breaks: Array, law: Array
) -> int:
    """Write breaks and cubics of s(t) from 0 to `distance`, from rest to rest; return how many cubics.

    Args:
        distance: Above 0.
        velocity: Largest ṡ.
        acceleration: Largest s̈.
        jerk: Largest s⃛, finite.
        ease: At the start, then at the end: by how much less than all jerk is used, and for how many seconds.
        breaks: (MOST_SEGMENTS + 1,) written.
        law: (MOST_SEGMENTS, 4) written.
    """
    up, down = np.empty((4, 2)), np.empty((4, 2))
    top, low, high = velocity, 0.0, velocity
    way = _speed_up(top, acceleration, jerk, ease[0], ease[1], up)
    way += _speed_up(top, acceleration, jerk, ease[2], ease[3], down)
    if way > distance:
        for _ in range(32):
            top = 0.5 * (low + high)
            way = _speed_up(top, acceleration, jerk, ease[0], ease[1], up)
            way += _speed_up(top, acceleration, jerk, ease[2], ease[3], down)
            if way <= distance:
                low = top
            else:
                high = top
        top = low
        way = _speed_up(top, acceleration, jerk, ease[0], ease[1], up)
        way += _speed_up(top, acceleration, jerk, ease[2], ease[3], down)
    pieces = np.empty((MOST_SEGMENTS, 2))
    total = 0.0
    for i in range(4):
        pieces[i] = up[i]
        pieces[8 - i] = down[i]
        total += up[i, 0] + down[i, 0]
    pieces[4, 0], pieces[4, 1] = (distance - way) / top, 0.0
    total += pieces[4, 0]
    count = 0
    s, v, u = 0.0, 0.0, 0.0
    breaks[0] = 0.0
    for i in range(MOST_SEGMENTS):
        dt, w = pieces[i, 0], pieces[i, 1]
        if dt <= 1e-12 * total:
            continue
        law[count, 0], law[count, 1], law[count, 2], law[count, 3] = s, v, 0.5 * u, w / 6.0
        breaks[count + 1] = breaks[count] + dt
        count += 1
        s += dt * (v + dt * (0.5 * u + dt * w / 6.0))
        v += dt * (u + 0.5 * dt * w)
        u += dt * w
    return count


@jit
def narrowest(cells: Array, asked: Array, limits: Array, out: Array) -> None:
    """Write the least and largest ṡ, s̈ and s⃛ that the starts of cells allow, moving straight on.

    Args:
        cells: (C, 6, n) the path.
        asked: (C + 1,) largest ṡ asked for at the knots.
        limits: (3, n) velocity, acceleration, jerk.
        out: (3, 2) written.
    """
    for order in range(3):
        out[order, 0], out[order, 1] = math.inf, 0.0
    for k in range(cells.shape[0]):
        for order in range(3):
            least = min(asked[k], asked[k + 1]) if order == 0 else math.inf
            for j in range(cells.shape[2]):
                least = min(least, limits[order, j] / max(abs(cells[k, 1, j]), 1e-12))
            out[order, 0] = min(out[order, 0], least)
            out[order, 1] = max(out[order, 1], least)
