"""How a timed path stands to its limits: the re-check that decides."""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .spline import derivatives

__all__ = ["evaluate", "invert", "ratios"]

Array = NDArray[np.float64]

LONGEST_LOOK_S = 0.00101
"""Between two looks at the finest, where a slot is long; in between the middle is looked at as well."""


@jit
def _ratios_at(
    s: Array, cells: Array, k: int, x: float, v: float, u: float, w: float, limits: Array, asked: Array, out: Array
) -> None:
    """Raise `out` to the ratios in cell k at x behind its start, moving with ṡ = v, s̈ = u, s⃛ = w."""
    share = x / (s[k + 1] - s[k])
    out[0] = max(out[0], v / (asked[k] + share * (asked[k + 1] - asked[k])))
    for j in range(cells.shape[2]):
        q1, q2, q3 = derivatives(cells, k, x, j)
        out[0] = max(out[0], abs(q1 * v) / limits[0, j])
        out[1] = max(out[1], abs(q2 * v * v + q1 * u) / limits[1, j])
        bend = abs(q3 * v * v * v + 1.5 * q2 * v * u)
        push = abs(1.5 * q2 * v * u + q1 * w)
        jerk = abs(q3 * v * v * v + 3.0 * q2 * v * u + q1 * w) / limits[2, j]
        if jerk > out[2]:
            out[2] = jerk
            out[3] = bend / max(bend + push, 1e-300)


@jit
def _ratios_between(
    s: Array,
    cells: Array,
    k: int,
    a: float,
    b: float,
    state: tuple[float, float, float, float, float],
    limits: Array,
    asked: Array,
    out: Array,
) -> None:
    """Raise `out` to the ratios inside a stretch of cell k: in its middle, and where the third derivative is extreme.

    The state is ṡ and s̈ at both ends of the stretch, and s⃛; where the extreme is, the larger ones count.
    """
    v0, u0, v1, u1, w = state
    _ratios_at(s, cells, k, 0.5 * (a + b), 0.5 * (v0 + v1), 0.5 * (u0 + u1), w, limits, asked, out)
    v, u = max(v0, v1), u0 if abs(u0) > abs(u1) else u1
    for j in range(cells.shape[2]):
        fifth = cells[k, 5, j]
        if fifth != 0.0:
            x = -0.2 * cells[k, 4, j] / fifth
            if a < x < b:
                q1, q2, q3 = derivatives(cells, k, x, j)
                jerk = abs(q3 * v * v * v + 3.0 * q2 * v * u + q1 * w) / limits[2, j]
                if jerk > out[2]:
                    out[2], out[3] = jerk, 1.0


@jit
def ratios(
    s: Array, cells: Array, breaks: Array, law: Array, limits: Array, asked: Array, looks: int, out: Array
) -> None:
    """Write for every slot the largest ratio to the limits.

    At a knot it looks on both sides, since the third derivative of the path jumps there.

    Args:
        s: (N,) knots.
        cells: (N - 1, 6, n) the path.
        breaks: (M + 1,) times.
        law: (M, 4) s(t).
        limits: (3, n) velocity, acceleration, jerk.
        asked: (N,) largest ṡ asked for at the knots, linear between.
        looks: 0 at ends of slots and at knots, 1 also in the middle of slots, 2 also between any two of these.
        out: (M, 4) written: velocity, acceleration, jerk; and which part of the jerk comes from the path's bend.
    """
    C = cells.shape[0]
    k = 0
    while k < C - 1 and s[k + 1] <= law[0, 0]:
        k += 1
    x = law[0, 0] - s[k]
    for i in range(law.shape[0]):
        dt = breaks[i + 1] - breaks[i]
        a0, a1, a2, a3 = law[i, 0], law[i, 1], law[i, 2], law[i, 3]
        row = out[i]
        row[:] = 0.0
        w = 6.0 * a3
        tau, v, u = 0.0, max(a1, 0.0), 2.0 * a2
        _ratios_at(s, cells, k, x, v, u, w, limits, asked, row)
        steps = 1 if looks == 0 else 2 if looks == 1 else max(2, int(dt / LONGEST_LOOK_S) + 1)
        for step in range(1, steps + 1):
            goal = dt * step / steps
            position = a0 + goal * (a1 + goal * (a2 + goal * a3))
            while k < C - 1 and s[k + 1] <= position:
                here = a0 + tau * (a1 + tau * (a2 + tau * a3))
                speed = a1 + tau * (2.0 * a2 + 3.0 * tau * a3)
                tau = min(max(tau + (s[k + 1] - here) / max(speed, 1e-9), tau), goal)
                v0, u0 = v, u
                v = max(a1 + tau * (2.0 * a2 + 3.0 * tau * a3), 0.0)
                u = 2.0 * a2 + 6.0 * tau * a3
                end = s[k + 1] - s[k]
                if looks > 1:
                    _ratios_between(s, cells, k, x, end, (v0, u0, v, u, w), limits, asked, row)
                _ratios_at(s, cells, k, end, v, u, w, limits, asked, row)
                k += 1
                x = 0.0
                _ratios_at(s, cells, k, x, v, u, w, limits, asked, row)
            tau = goal
            v0, u0 = v, u
            v = max(a1 + tau * (2.0 * a2 + 3.0 * tau * a3), 0.0)
            u = 2.0 * a2 + 6.0 * tau * a3
            end = min(max(position - s[k], x), s[k + 1] - s[k])
            if looks > 1:
                _ratios_between(s, cells, k, x, end, (v0, u0, v, u, w), limits, asked, row)
            x = end
            if looks > 0 or i == law.shape[0] - 1:
                _ratios_at(s, cells, k, x, v, u, w, limits, asked, row)


@jit
def _place(bounds: Array, value: float) -> int:
    """Return the cell between rising bounds that holds the value, the nearest where none does."""
    low, high = 0, bounds.shape[0] - 2
    while low < high:
        middle = (low + high + 1) // 2
        if bounds[middle] <= value:
            low = middle
        else:
            high = middle - 1
    return low


@jit
def evaluate(s: Array, cells: Array, breaks: Array, law: Array, t: Array, out: Array) -> None:
    """Write q and its first three derivatives by time at each t (rising or not) into out (T, 4, n)."""
    C, M, n = cells.shape[0], law.shape[0], cells.shape[2]
    for i in range(t.shape[0]):
        now = min(max(t[i], breaks[0]), breaks[M])
        slot = _place(breaks, now)
        tau = now - breaks[slot]
        a0, a1, a2, a3 = law[slot, 0], law[slot, 1], law[slot, 2], law[slot, 3]
        position = min(max(a0 + tau * (a1 + tau * (a2 + tau * a3)), s[0]), s[C])
        v = a1 + tau * (2.0 * a2 + 3.0 * tau * a3)
        u = 2.0 * a2 + 6.0 * tau * a3
        w = 6.0 * a3
        k = _place(s, position)
        if k > 0 and a0 < s[k] and position - s[k] < 1e-12:
            # Rounding must not carry the end of one run into the next, where the path may turn sharply.
            k -= 1
        x = position - s[k]
        for j in range(n):
            q1, q2, q3 = derivatives(cells, k, x, j)
            value = cells[k, 5, j]
            for power in range(4, -1, -1):
                value = value * x + cells[k, power, j]
            out[i, 0, j] = value
            out[i, 1, j] = q1 * v
            out[i, 2, j] = q2 * v * v + q1 * u
            out[i, 3, j] = q3 * v * v * v + 3.0 * q2 * v * u + q1 * w


@jit
def invert(breaks: Array, law: Array, position: float) -> float:
    """Return when s(t) first reaches `position`; s(t) rises."""
    M = law.shape[0]
    low, high = 0, M - 1
    while low < high:
        middle = (low + high + 1) // 2
        if law[middle, 0] <= position:
            low = middle
        else:
            high = middle - 1
    dt = breaks[low + 1] - breaks[low]
    a, b = 0.0, dt
    for _ in range(60):
        c = 0.5 * (a + b)
        if law[low, 0] + c * (law[low, 1] + c * (law[low, 2] + c * law[low, 3])) < position:
            a = c
        else:
            b = c
        if b - a < 1e-12:
            break
    return breaks[low] + (0.5 * (a + b) if not math.isinf(position) else 0.0)
