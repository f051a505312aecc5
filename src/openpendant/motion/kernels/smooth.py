"""From the fastest way to one without jerks: widen the slow places, flatten the peaks, filter s(t).

Filtering s(t) with a box in time keeps the path exactly and bounds the jerk: a step of s̈ becomes a ramp.

Source: the filter, L. Biagiotti and C. Melchiorri, FIR filters for online trajectory planning with time- and
frequency-domain specifications, Control Engineering Practice 20(12), 2012; the least of a window that slides, D.
Lemire, Streaming maximum-minimum filter using no more than three comparisons per element, Nordic Journal of Computing
13(4), 2006.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]


@jit
def knot_times(s: Array, z: Array, t: Array) -> None:
    """Write when each knot is passed; z = ṡ² varies linearly inside a cell."""
    t[0] = 0.0
    for i in range(s.shape[0] - 1):
        total = math.sqrt(z[i]) + math.sqrt(z[i + 1])
        t[i + 1] = t[i] + 2.0 * (s[i + 1] - s[i]) / max(total, 1e-12)


@jit
def reach_down(s: Array, cap: Array, half: float, out: Array) -> None:
    """Write caps that respect the slow places nearby: within `half` seconds of one, no faster than it allows.

    A place at distance d is that near when the speed is above d / half.
    """
    N = s.shape[0]
    for i in range(N):
        best = cap[i]
        for sign in (-1, 1):
            k = i + sign
            while 0 <= k < N:
                distance = abs(s[k] - s[i]) / half
                if distance >= best:
                    break
                best = min(best, max(cap[k], distance))
                k += sign
        out[i] = best


@jit
def widen(t: Array, value: Array, half: float, sign: float, out: Array) -> None:
    """Write the least (sign 1) or largest (sign -1) value within `half` seconds of every knot."""
    N = t.shape[0]
    queue = np.empty(N, dtype=np.int64)
    head, tail, right = 0, 0, 0
    for i in range(N):
        while right < N and t[right] <= t[i] + half:
            while tail > head and sign * value[queue[tail - 1]] >= sign * value[right]:
                tail -= 1
            queue[tail] = right
            tail += 1
            right += 1
        while t[queue[head]] < t[i] - half:
            head += 1
        out[i] = value[queue[head]]


@jit
def plain_law(s: Array, z: Array, law: Array) -> None:
    """Write s(t) of constant s̈ in every cell: law (N - 1, 4), coefficients of powers of (t - t[i])."""
    for i in range(s.shape[0] - 1):
        h = s[i + 1] - s[i]
        law[i, 0] = s[i]
        law[i, 1] = math.sqrt(z[i])
        law[i, 2] = 0.25 * (z[i + 1] - z[i]) / h
        law[i, 3] = 0.0


@jit
def filtered_law(s: Array, z: Array, t: Array, slots: int, box: int, breaks: Array, law: Array) -> None:
    """Write s(t), filtered with a box, as a cubic in every slot of one uniform grid of time.

    Args:
        s: (N,) knots.
        z: (N,) ṡ² at the knots.
        t: (N,) when the knots are passed.
        slots: Number of slots that the unfiltered way takes.
        box: Width of the box in slots.
        breaks: (M + 1,) written, with M = slots + box + 1.
        law: (M, 4) written: coefficients of powers of (t - breaks[i]).
    """
    N = s.shape[0]
    duration = t[N - 1]
    dt = duration / slots
    length = s[N - 1]
    # The positions of the way at the grid, summed up so that a mean over a box is one difference.
    total = np.empty(slots + 2)
    total[0] = 0.0
    k = 0
    for i in range(slots + 1):
        now = i * dt
        while k < N - 2 and t[k + 1] < now:
            k += 1
        tau = min(max(now - t[k], 0.0), t[k + 1] - t[k])
        position = s[k] + tau * (math.sqrt(z[k]) + tau * 0.25 * (z[k + 1] - z[k]) / (s[k + 1] - s[k]))
        if i == 0:
            position = 0.0
        elif i == slots:
            position = length
        total[i + 1] = total[i] + min(max(position, 0.0), length)
    M = law.shape[0]
    # Control values of a uniform cubic B-spline: rest before the first, rest after the last.
    control = np.empty(M + 3)
    for i in range(M + 3):
        # Mean of the positions i - 2 - box + 1 … i - 2, which are 0 before the grid and `length` after it.
        last = i - 2
        first = last - box + 1
        inside = total[min(max(last + 1, 0), slots + 1)] - total[min(max(first, 0), slots + 1)]
        beyond = max(0, last - max(first, slots + 1) + 1)
        control[i] = (inside + beyond * length) / box
    breaks[0] = 0.0
    for i in range(M):
        c0, c1, c2, c3 = control[i], control[i + 1], control[i + 2], control[i + 3]
        law[i, 0] = (c0 + 4.0 * c1 + c2) / 6.0
        law[i, 1] = 0.5 * (c2 - c0) / dt
        law[i, 2] = 0.5 * (c0 - 2.0 * c1 + c2) / (dt * dt)
        law[i, 3] = (c3 - 3.0 * c2 + 3.0 * c1 - c0) / (6.0 * dt * dt * dt)
        breaks[i + 1] = (i + 1) * dt
