"""How a timed path stands to its limits: the re-check that decides.

Derivation: with q(s) and s(t), q̇ = q′ ṡ, q̈ = q″ ṡ² + q′ s̈ and q⃛ = q‴ ṡ³ + 3 q″ ṡ s̈ + q′ s⃛. Between looks the
largest value is bounded by the parabola through three of them, which exceeds them by an eighth of their second
difference at most.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .lookup import cell_at
from .spline import derivatives

Array = NDArray[np.float64]

LONGEST_STEP_S = 0.0021
"""Between two looks; in between the middle is looked at as well, so that about every millisecond is seen. Slots of
2 ms that are slowed a little are looked at in the same places, and cannot exceed what they did before."""
ROUNDING = 1e-12
CLOSE = 0.9
HIDDEN = 1e-3
"""Where a jerk this close to its limit bends this much over three looks, it is looked at finer: a parabola exceeds its
three values by an eighth of that at most. With FINER · √bend looks it exceeds them by 2e-4 at most."""
FINER = 50.0
MOST = 200


@jit
def _ratios_at(
    s: Array, cells: Array, k: int, x: float, v: float, u: float, w: float, parts: Array, asked: Array, out: Array
) -> float:
    """Raise `out` to the ratios in cell k at x behind its start, moving with ṡ = v, s̈ = u, s⃛ = w.

    Returns:
        The ratio of the jerk here.
    """
    share = x / (s[k + 1] - s[k])
    v2, v3, vu = v * v, v * v * v, 3.0 * v * u
    rate, push, jerk, worst = 0.0, 0.0, 0.0, 0
    for j in range(cells.shape[2]):
        q1, q2, q3 = derivatives(cells, k, x, j)
        rate = max(rate, abs(q1) * parts[0, j])
        push = max(push, abs(q2 * v2 + q1 * u) * parts[1, j])
        one = abs(q3 * v3 + q2 * vu + q1 * w) * parts[2, j]
        if one > jerk:
            jerk, worst = one, j
    out[0] = max(out[0], v / (asked[k] + share * (asked[k + 1] - asked[k])), rate * v)
    out[1] = max(out[1], push)
    if jerk > out[2]:
        q1, q2, q3 = derivatives(cells, k, x, worst)
        bend = abs(q3 * v3 + 0.5 * q2 * vu)
        out[2] = jerk
        out[3] = bend / max(bend + abs(0.5 * q2 * vu + q1 * w), 1e-300)
    return jerk


@jit
def _ratios_between(
    s: Array,
    cells: Array,
    k: int,
    law: Array,
    start: float,
    end: float,
    first: float,
    last: float,
    parts: Array,
    asked: Array,
    out: Array,
) -> None:
    """Raise `out` to the ratios inside cell k between two times of a slot, `first` and `last` the ratios of jerk then.

    It looks at the middle, and finer where a limit may be hidden.
    """
    a0, a1, a2, a3 = law[0], law[1], law[2], law[3]
    width = s[k + 1] - s[k]
    steps = 2
    middle = 0.0
    for look in range(2):
        for step in range(1, steps):
            tau = start + (end - start) * step / steps
            x = min(max(a0 + tau * (a1 + tau * (a2 + tau * a3)) - s[k], 0.0), width)
            v = max(a1 + tau * (2.0 * a2 + 3.0 * tau * a3), 0.0)
            middle = _ratios_at(s, cells, k, x, v, 2.0 * a2 + 6.0 * tau * a3, 6.0 * a3, parts, asked, out)
        if look == 0:
            bend = abs(first - 2.0 * middle + last)
            if bend < HIDDEN or max(first, middle, last) + 0.25 * bend < CLOSE:
                return
            steps = min(2 + int(FINER * math.sqrt(bend)), MOST)


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
        looks: 0 at ends of slots and at knots; 2 also in between, and finer where a limit is close.
        out: (M, 4) written: velocity, acceleration, jerk; and which part of the jerk comes from the path's bend.
    """
    C = cells.shape[0]
    parts = 1.0 / limits
    k = 0
    while k < C - 1 and s[k + 1] <= law[0, 0]:
        k += 1
    x = law[0, 0] - s[k]
    for i in range(law.shape[0]):
        row = out[i]
        row[:] = 0.0
        last = i == law.shape[0] - 1
        dt = breaks[i + 1] - breaks[i]
        steps = 1 if looks == 0 else max(1, int(dt / LONGEST_STEP_S) + 1)
        k, x = _slot(s, cells, k, x, dt, law[i], parts, asked, looks, steps, last, row)


@jit
def _slot(
    s: Array,
    cells: Array,
    k: int,
    x: float,
    dt: float,
    law: Array,
    parts: Array,
    asked: Array,
    looks: int,
    steps: int,
    last: bool,
    row: Array,
) -> tuple[int, float]:
    """Raise `row` to the ratios in one slot that begins in cell k at x behind its start.

    Returns:
        Cell and place in it where the slot ends.
    """
    C = cells.shape[0]
    a0, a1, a2, a3 = law[0], law[1], law[2], law[3]
    w = 6.0 * a3
    tau, v, u = 0.0, max(a1, 0.0), 2.0 * a2
    # Rounding must not carry the end of one run into the next, where the path may turn sharply, nor the other way.
    while k < C - 1 and s[k + 1] <= a0 + ROUNDING:
        k += 1
        x = 0.0
    first = _ratios_at(s, cells, k, x, v, u, w, parts, asked, row)
    for step in range(1, steps + 1):
        goal = dt * step / steps
        position = a0 + goal * (a1 + goal * (a2 + goal * a3))
        while k < C - 1 and s[k + 1] < position - ROUNDING:
            before = tau
            for _ in range(3):
                here = a0 + tau * (a1 + tau * (a2 + tau * a3))
                speed = a1 + tau * (2.0 * a2 + 3.0 * tau * a3)
                tau = min(max(tau + (s[k + 1] - here) / max(speed, 1e-9), before), goal)
            v = max(a1 + tau * (2.0 * a2 + 3.0 * tau * a3), 0.0)
            u = 2.0 * a2 + 6.0 * tau * a3
            end = s[k + 1] - s[k]
            jerk = _ratios_at(s, cells, k, end, v, u, w, parts, asked, row)
            if looks > 1:
                _ratios_between(s, cells, k, law, before, tau, first, jerk, parts, asked, row)
            k += 1
            x = 0.0
            first = _ratios_at(s, cells, k, x, v, u, w, parts, asked, row)
        before, tau = tau, goal
        v = max(a1 + tau * (2.0 * a2 + 3.0 * tau * a3), 0.0)
        u = 2.0 * a2 + 6.0 * tau * a3
        end = min(max(position - s[k], x), s[k + 1] - s[k])
        if looks > 0 or last:
            jerk = _ratios_at(s, cells, k, end, v, u, w, parts, asked, row)
            if looks > 1:
                _ratios_between(s, cells, k, law, before, tau, first, jerk, parts, asked, row)
            first = jerk
        x = end
    return k, x


@jit
def largest(found: Array, out: Array) -> None:
    """Write the largest of the first columns of `found`, as many as `out` has."""
    out[:] = 0.0
    for i in range(found.shape[0]):
        for j in range(out.shape[0]):
            out[j] = max(out[j], found[i, j])


@jit
def evaluate(s: Array, cells: Array, breaks: Array, law: Array, t: Array, out: Array) -> None:
    """Write q and its first three derivatives by time at each t (rising or not) into out (T, 4, n)."""
    C, M, n = cells.shape[0], law.shape[0], cells.shape[2]
    for i in range(t.shape[0]):
        now = min(max(t[i], breaks[0]), breaks[M])
        slot = cell_at(breaks, now)
        tau = now - breaks[slot]
        a0, a1, a2, a3 = law[slot, 0], law[slot, 1], law[slot, 2], law[slot, 3]
        position = min(max(a0 + tau * (a1 + tau * (a2 + tau * a3)), s[0]), s[C])
        v = a1 + tau * (2.0 * a2 + 3.0 * tau * a3)
        u = 2.0 * a2 + 6.0 * tau * a3
        w = 6.0 * a3
        k = cell_at(s, position)
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
