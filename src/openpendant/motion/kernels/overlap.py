"""Two legs that overlap at their corner: where it begins and ends, and the path while both move.

Derivation: while both legs move, q(t) = q₀(t) - corner + q₁(t): both parts and all their derivatives are continuous,
and at either end of the overlap one of them rests at the corner. With s = s₀ + s₁ this is a path again: q′ = q̇ / ṡ
and q″ = (q̈ - q′ s̈) / ṡ². The nearest place on a leg is found by Gauss-Newton steps on the squared distance.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .lookup import cell_at
from .ratios import evaluate
from .spline import derivatives, quintic_cells

Array = NDArray[np.float64]

SAME_S = 1e-9
"""Breaks this near to each other are one."""


@jit
def _place_of(s: Array, cells: Array, q: Array, weight: Array) -> float:
    """Return where on a leg the joints are nearest to q."""
    C, n = cells.shape[0], cells.shape[2]
    best, near = 0, math.inf
    end = float(s[C] - s[C - 1])
    for k in range(C + 1):
        total = 0.0
        for j in range(n):
            d = (cells[k, 0, j] if k < C else _value(cells, C - 1, end, j)) - q[j]
            total += (d * weight[j]) ** 2
        if total < near:
            best, near = k, total
    place = s[min(best, C - 1)]
    for _ in range(8):
        k = cell_at(s, place)
        x = place - s[k]
        along, rate2 = 0.0, 0.0
        for j in range(n):
            rate = derivatives(cells, k, x, j)[0] * weight[j]
            along += (q[j] - _value(cells, k, x, j)) * weight[j] * rate
            rate2 += rate * rate
        place = min(max(place + along / rate2, 0.0), s[C])
    return place


@jit
def _value(cells: Array, k: int, x: float, j: int) -> float:
    value = cells[k, 5, j]
    for power in range(4, -1, -1):
        value = value * x + cells[k, power, j]
    return value


@jit
def meet(
    s0: Array,
    cells0: Array,
    s1: Array,
    cells1: Array,
    q_enter: Array,
    q_leave: Array,
    weight: Array,
    jerk: Array,
    out: Array,
) -> None:
    """Write what two legs do where one ends and the other begins.

    Args:
        s0: (N,) knots of the leg before.
        cells0: (N - 1, 6, n) its path.
        s1: (M,) knots of the leg after.
        cells1: (M - 1, 6, n) its path.
        q_enter: (n,) where the zone begins.
        q_leave: (n,) where it ends.
        weight: (n,) makes joints comparable.
        jerk: (n,) limits.
        out: (5,) written: where the zone begins on the leg before and ends on the leg after, the largest s⃛ of both
            at the corner, and how much more jerk than allowed both together would ask for.
    """
    C, n = cells0.shape[0], cells0.shape[2]
    out[0] = _place_of(s0, cells0, q_enter, weight)
    out[1] = _place_of(s1, cells1, q_leave, weight)
    h = float(s0[C] - s0[C - 1])
    j0, j1, most = math.inf, math.inf, 0.0
    for j in range(n):
        j0 = min(j0, jerk[j] / max(abs(derivatives(cells0, C - 1, h, j)[0]), 1e-12))
        j1 = min(j1, jerk[j] / max(abs(cells1[0, 1, j]), 1e-12))
    for j in range(n):
        most = max(most, abs(derivatives(cells0, C - 1, h, j)[0] * j0 + cells1[0, 1, j] * j1) / jerk[j])
    out[2], out[3], out[4] = j0, j1, most


@jit
def _inner(breaks0: Array, breaks1: Array, time: float) -> Array:
    """Return the times from the start of an overlap to its end at which a law has a break, both ends included."""
    M, K = breaks0.shape[0], breaks1.shape[0]
    shift = breaks0[M - 1] - time
    i, k, count = 0, 0, 1
    while i < M and breaks0[i] - shift <= SAME_S:
        i += 1
    while k < K and breaks1[k] <= SAME_S:
        k += 1
    out = np.empty(M - i + K - k + 2)
    out[0] = before = 0.0
    while True:
        first = breaks0[i] - shift if i < M else math.inf
        second = breaks1[k] if k < K else math.inf
        now = min(first, second)
        if now >= time - SAME_S:
            break
        if first <= second:
            i += 1
        else:
            k += 1
        if now - before > SAME_S:
            out[count] = now
            count += 1
        before = now
    out[count] = time
    return out[: count + 1]


@jit
def apart(breaks0: Array, breaks1: Array, time: float) -> float:
    """Return a time, a little shorter where that keeps breaks further apart: a tiny cell would be all rounding.

    Args:
        breaks0: (M,) of the law of the leg before, whose end overlaps.
        breaks1: (K,) of the law of the leg after, whose start overlaps.
        time: How long both move.
    """
    best, widest = time, -1.0
    for step in range(4):
        one = time * (1.0 - 0.02 * step)
        inner = _inner(breaks0, breaks1, one)
        least = math.inf
        for i in range(inner.shape[0] - 1):
            least = min(least, inner[i + 1] - inner[i])
        start = breaks0[breaks0.shape[0] - 1] - one
        for i in range(breaks0.shape[0]):
            gap = abs(breaks0[i] - start)
            if gap > SAME_S:
                least = min(least, gap)
        for i in range(breaks1.shape[0]):
            gap = abs(breaks1[i] - one)
            if gap > SAME_S:
                least = min(least, gap)
        if least > widest:
            best, widest = one, least
    return best


@jit
def _add_pieces(breaks: Array, law: Array, start: float, nodes: Array, out: Array) -> None:
    """Add the cubics of a law from each node on; no break lies between two. The last goes back from its node."""
    N = nodes.shape[0]
    for i in range(N):
        now = start + nodes[i]
        k = cell_at(breaks, start + 0.5 * (nodes[i] + nodes[i + 1]) if i < N - 1 else now)
        x = now - breaks[k]
        a0, a1, a2, a3 = law[k, 0], law[k, 1], law[k, 2], law[k, 3]
        out[i, 0] += a0 + x * (a1 + x * (a2 + x * a3))
        out[i, 1] += a1 + x * (2.0 * a2 + 3.0 * x * a3)
        out[i, 2] += a2 + 3.0 * x * a3
        out[i, 3] += a3


@jit
def overlapping(
    s0: Array,
    cells0: Array,
    breaks0: Array,
    law0: Array,
    s1: Array,
    cells1: Array,
    breaks1: Array,
    law1: Array,
    time: float,
    count: int,
) -> tuple[Array, Array, Array, Array]:
    """Return knots, cells, times and law of the path while both legs move; it goes on smoothly at both ends.

    Args:
        s0: (N,) knots of the leg before, whose end overlaps.
        cells0: (N - 1, 6, n) its path.
        breaks0: Of its law.
        law0: Of its law.
        s1: Of the leg after, whose start overlaps.
        cells1: Its path.
        breaks1: Of its law.
        law1: Of its law.
        time: How long both move, seconds.
        count: Of cells, at least.
    """
    bounds = _inner(breaks0, breaks1, time)
    total = 0
    for i in range(bounds.shape[0] - 1):
        total += max(1, math.ceil(count * (bounds[i + 1] - bounds[i]) / time))
    nodes = np.empty(total + 1)
    at = 0
    for i in range(bounds.shape[0] - 1):
        width = bounds[i + 1] - bounds[i]
        parts = max(1, math.ceil(count * width / time))
        for k in range(parts):
            nodes[at] = bounds[i] + width * k / parts
            at += 1
    nodes[at] = time
    n = cells0.shape[2]
    start = float(breaks0[breaks0.shape[0] - 1]) - time
    first, second = np.empty((total + 1, 4, n)), np.empty((total + 1, 4, n))
    evaluate(s0, cells0, breaks0, law0, start + nodes, first)
    evaluate(s1, cells1, breaks1, law1, nodes, second)
    # The place on the corner is the sum of both legs': it goes on smoothly at both ends, and always forward.
    law = np.zeros((total + 1, 4))
    _add_pieces(breaks0, law0, start, nodes, law)
    _add_pieces(breaks1, law1, 0.0, nodes, law)
    s, q, q1, q2 = np.empty(total + 1), np.empty((total + 1, n)), np.empty((total + 1, n)), np.empty((total + 1, n))
    shift = law[0, 0]
    for i in range(total + 1):
        law[i, 0] -= shift
        s[i] = law[i, 0]
        v, u = law[i, 1], 2.0 * law[i, 2]
        for j in range(n):
            q[i, j] = first[i, 0, j] - cells1[0, 0, j] + second[i, 0, j]
            q1[i, j] = (first[i, 1, j] + second[i, 1, j]) / v
            q2[i, j] = (first[i, 2, j] + second[i, 2, j] - q1[i, j] * u) / (v * v)
    cells = np.empty((total, 6, n))
    quintic_cells(s, q, q1, q2, cells)
    times = np.empty(total)
    for i in range(total):
        times[i] = nodes[i + 1] - nodes[i]
    return s, cells, times, law[:total]
