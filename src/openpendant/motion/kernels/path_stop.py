"""Brake along a path as hard as its joints allow, starting in the middle of a motion.

Derivation: q̈ = q″ ṡ² + q′ s̈ and q⃛ = q‴ ṡ³ + 3 q″ ṡ s̈ + q′ s⃛ are linear in s̈ and s⃛ for a given ṡ, so each joint
leaves an interval of them and all joints their intersection. A constant s⃛ brings ṡ = v and s̈ = u < 0 to zero
together where it is u² / 2v, after 2v / -u: that is the last ramp.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .spline import derivatives

Array = NDArray[np.float64]


@jit
def _room(cells: Array, k: int, x: float, v: float, u: float, limits: Array, out: Array) -> None:
    """Write the least s̈ that acceleration limits allow at ṡ = v, and the range of s⃛ that jerk limits allow."""
    low, first, last = -math.inf, -math.inf, math.inf
    for j in range(cells.shape[2]):
        q1, q2, q3 = derivatives(cells, k, x, j)
        size = abs(q1)
        if size < 1e-9:
            continue
        turn = q2 * v * v if q1 > 0.0 else -q2 * v * v
        low = max(low, (-limits[1, j] - turn) / size)
        bend = q3 * v * v * v + 3.0 * q2 * v * u
        if q1 < 0.0:
            bend = -bend
        first = max(first, (-limits[2, j] - bend) / size)
        last = min(last, (limits[2, j] - bend) / size)
    out[0], out[1], out[2] = min(low, 0.0), first, last


@jit
def brake(
    s: Array, cells: Array, limits: Array, state: Array, force: float, dt: float, breaks: Array, law: Array
) -> int:
    """Write slots that bring the motion to rest; return how many, 0 where there is no room for them.

    Args:
        s: (N,) knots.
        cells: (N - 1, 6, n) the path.
        limits: (3, n) velocity, acceleration, jerk.
        state: s, ṡ, s̈ now, and the place where the path next comes to rest: it may not be passed.
        force: Part of the room that is used, 0 to 1.
        dt: Length of a slot.
        breaks: (M + 1,) written from 0.
        law: (M, 4) written.
    """
    C = cells.shape[0]
    p, v, u = state[0], state[1], state[2]
    now, ahead = np.empty(3), np.empty(3)
    k = 0
    breaks[0] = 0.0
    for i in range(law.shape[0]):
        while k < C - 1 and s[k + 1] <= p:
            k += 1
        _room(cells, k, p - s[k], v, u, limits, now)
        # What holds where the motion will be when a ramp of s̈ from now on takes effect.
        there = min(p + 10.0 * dt * v, state[3])
        m = k
        while m < C - 1 and s[m + 1] <= there:
            m += 1
        _room(cells, m, there - s[m], v, u, limits, ahead)
        goal = force * max(now[0], ahead[0])
        strong = force * max(min(-now[1], now[2], -ahead[1], ahead[2]), 1e-9)
        law[i, 0], law[i, 1], law[i, 2] = p, v, 0.5 * u
        if u < 0.0 and u * u >= 2.0 * strong * v * 0.9:
            # One last ramp brings ṡ and s̈ to zero together.
            jerk = 0.5 * u * u / v
            length = 2.0 * v / -u
            law[i, 3] = jerk / 6.0
            breaks[i + 1] = breaks[i] + length
            return i + 1 if p + v * length / 3.0 <= state[3] else 0
        jerk = min(max((goal - u) / dt, max(now[1], -strong)), min(now[2], strong))
        law[i, 3] = jerk / 6.0
        breaks[i + 1] = breaks[i] + dt
        p += dt * (v + dt * (0.5 * u + dt * jerk / 6.0))
        v += dt * (u + 0.5 * dt * jerk)
        u += dt * jerk
        if v <= 0.0 or p >= state[3]:
            return 0
    return 0


@jit
def halt_on_path(
    s: Array, cells: Array, deceleration: Array, jerk: Array, state: Array, dt: float, breaks: Array, law: Array
) -> int:
    """Write slots of the shortest stop with stop limits; return how many, 0 where they do not suffice.

    What speeds the motion up is dropped at once; ṡ falls from the first slot on.

    Args:
        s: (N,) knots.
        cells: (N - 1, 6, n) the path.
        deceleration: (n,): largest of a stop.
        jerk: (n,): how fast it rises and is released.
        state: s, ṡ, s̈ now.
        dt: Length of a slot.
        breaks: (M + 1,) written from 0.
        law: (M, 4) written.
    """
    C = cells.shape[0]
    p, v, u = state[0], state[1], min(state[2], 0.0)
    k = 0
    breaks[0] = 0.0
    for i in range(law.shape[0]):
        while k < C - 1 and s[k + 1] <= p:
            k += 1
        strong, least = _halting_room(cells, k, p - s[k], v, deceleration, jerk)
        # What holds at the end of the slot.
        there = p + dt * max(v + 0.5 * dt * u, 0.0)
        m = k
        while m < C - 1 and s[m + 1] <= there:
            m += 1
        _, ahead = _halting_room(cells, m, there - s[m], max(v + dt * u, 0.0), deceleration, jerk)
        goal = max(least, ahead)
        u = max(u, least)
        law[i, 0], law[i, 1], law[i, 2] = p, v, 0.5 * u
        if u < 0.0 and u * u >= 2.0 * strong * v * 0.9:
            length = 2.0 * v / -u
            law[i, 3] = 0.5 * u * u / v / 6.0
            breaks[i + 1] = breaks[i] + length
            return i + 1
        change = max((goal - u) / dt, -strong)
        law[i, 3] = change / 6.0
        breaks[i + 1] = breaks[i] + dt
        p += dt * (v + dt * (0.5 * u + dt * change / 6.0))
        v += dt * (u + 0.5 * dt * change)
        u += dt * change
        if v <= 1e-9:
            law[i, 3] = 0.0
            law[i, 2] = -0.5 * law[i, 1] / dt
            return i + 1
    return 0


@jit
def _halting_room(cells: Array, k: int, x: float, v: float, deceleration: Array, jerk: Array) -> tuple[float, float]:
    """Return the jerk along the path, and the least s̈ (not above 0) that keeps every joint's deceleration."""
    strong, least = math.inf, -math.inf
    for j in range(cells.shape[2]):
        q1, q2, _ = derivatives(cells, k, x, j)
        size = abs(q1)
        if size < 1e-9:
            continue
        turn = q2 * v * v if q1 > 0.0 else -q2 * v * v
        least = max(least, (-deceleration[j] - turn) / size)
        strong = min(strong, jerk[j] / size)
    return strong, min(least, 0.0)
