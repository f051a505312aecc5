"""Whether a timed path is one: no jump of q, q̇ or q̈ at knots and breaks, and no joint beyond its limit between them.

Derivation: with q(s) and s(t), q̇ = q′ ṡ and q̈ = q″ ṡ² + q′ s̈. At a knot q′ and q″ may jump and ṡ, s̈ do not; at a
break of the law it is the other way round; so each jump is the difference of one factor times the other. A quintic
stays within |c₁| h + … + |c₅| h⁵ of its value at the start of its cell; only where that passes a limit, its extremes
are found as zeros of the derivative, by bisection.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .ratios import invert
from .spline import derivatives

Array = NDArray[np.float64]


@jit
def _value(cells: Array, k: int, x: float, j: int) -> float:
    value = cells[k, 5, j]
    for power in range(4, -1, -1):
        value = value * x + cells[k, power, j]
    return value


@jit
def jumps(s: Array, cells: Array, breaks: Array, law: Array, out: Array) -> None:
    """Raise `out` (3, n) to the largest jumps of q, q̇ and q̈ of each joint.

    Args:
        s: (N,) knots.
        cells: (N - 1, 6, n) the path.
        breaks: (M + 1,) times.
        law: (M, 4) s(t).
        out: (3, n) raised.
    """
    C, M, n = cells.shape[0], law.shape[0], cells.shape[2]
    last = breaks[M] - breaks[M - 1]
    end = law[M - 1, 0] + last * (law[M - 1, 1] + last * (law[M - 1, 2] + last * law[M - 1, 3]))
    slot = 0
    for k in range(1, C):
        if s[k] <= law[0, 0] or s[k] >= end:
            continue
        now = invert(breaks, law, s[k])
        while slot < M - 1 and breaks[slot + 1] < now:
            slot += 1
        tau = now - breaks[slot]
        v = law[slot, 1] + tau * (2.0 * law[slot, 2] + 3.0 * tau * law[slot, 3])
        u = 2.0 * law[slot, 2] + 6.0 * tau * law[slot, 3]
        for i in range(max(slot - 1, 0), min(slot + 3, M)):
            # Beside rest s hardly changes with time: there only the break itself tells the speed exactly.
            if abs(law[i, 0] - s[k]) < 1e-11:
                v, u = min(v, law[i, 1]), 2.0 * law[i, 2]
        h = s[k] - s[k - 1]
        for j in range(n):
            q1, q2, _ = derivatives(cells, k - 1, h, j)
            d1, d2 = cells[k, 1, j] - q1, 2.0 * cells[k, 2, j] - q2
            out[0, j] = max(out[0, j], abs(cells[k, 0, j] - _value(cells, k - 1, h, j)))
            out[1, j] = max(out[1, j], abs(d1 * v))
            out[2, j] = max(out[2, j], abs(d2 * v * v + d1 * u))
    k = 0
    for i in range(M - 1):
        dt = breaks[i + 1] - breaks[i]
        a0, a1, a2, a3 = law[i, 0], law[i, 1], law[i, 2], law[i, 3]
        d0 = law[i + 1, 0] - (a0 + dt * (a1 + dt * (a2 + dt * a3)))
        dv = law[i + 1, 1] - (a1 + dt * (2.0 * a2 + 3.0 * dt * a3))
        du = 2.0 * law[i + 1, 2] - (2.0 * a2 + 6.0 * dt * a3)
        while k < C - 1 and s[k + 1] <= law[i + 1, 0]:
            k += 1
        v = law[i + 1, 1]
        for j in range(n):
            q1, q2, _ = derivatives(cells, k, min(max(law[i + 1, 0] - s[k], 0.0), s[k + 1] - s[k]), j)
            out[0, j] = max(out[0, j], abs(q1 * d0))
            out[1, j] = max(out[1, j], abs(q1 * dv) + abs(q2 * v * d0))
            out[2, j] = max(out[2, j], abs(q1 * du) + abs(2.0 * q2 * v * dv))


@jit
def beyond(s: Array, cells: Array, low: Array, high: Array, over: float, out: Array) -> int:
    """Return the first cell in which a joint is further than `over` beyond a limit, -1 where none is.

    The extremes of the quintics count, not only their values at the knots.

    Args:
        s: (N,) knots.
        cells: (N - 1, 6, n) the path.
        low: (n,) limits.
        high: (n,) limits.
        over: What does not count yet.
        out: Written: the place s, the joint, and how far beyond.
    """
    looks = 8
    for k in range(cells.shape[0]):
        h = s[k + 1] - s[k]
        for j in range(cells.shape[2]):
            swing, power = 0.0, 1.0
            for c in range(1, 6):
                power *= h
                swing += abs(cells[k, c, j]) * power
            start = cells[k, 0, j]
            if start + swing <= high[j] + over and start - swing >= low[j] - over:
                continue
            worst, where = -math.inf, 0.0
            before = cells[k, 1, j]
            for look in range(looks + 1):
                x = h * look / looks
                rate = derivatives(cells, k, x, j)[0]
                place = x
                if look > 0 and before * rate < 0.0:
                    a, b = x - h / looks, x
                    for _ in range(50):
                        c = 0.5 * (a + b)
                        if derivatives(cells, k, c, j)[0] * before > 0.0:
                            a = c
                        else:
                            b = c
                    place = 0.5 * (a + b)
                before = rate
                for at in (place, x):
                    value = _value(cells, k, at, j)
                    past = max(value - high[j], low[j] - value)
                    if past > worst:
                        worst, where = past, at
            if worst > over:
                out[0], out[1], out[2] = s[k] + where, j, worst
                return k
    return -1
