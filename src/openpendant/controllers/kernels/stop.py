"""The shortest stop along the rows of a path, tick by tick.

Between two ticks the arm goes a distance d in joint space. A stop makes d as small as it can be at every tick:

- no joint's second difference is more than its deceleration;
- the deceleration along the path rises, and is released at the end, no faster than the joints' jerk along it;
- d never grows, and the arm is never farther along the path than the path itself would have been.

Derivation: at a lower speed a bend takes less of the deceleration, so braking hardest at once never leads into a
trap. What d loses in a tick must be released before the arm rests: a loss of k j that falls by j with every tick
takes j k (k + 1) / 2 off d altogether, and that is d at most; solved for k j. Between rows the path is a cubic with
the slopes of E. Catmull and R. Rom, A class of local interpolating splines, Computer Aided Geometric Design, Academic
Press 1974.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]

HALVINGS = 14
SECANTS = 6
TRIES = 8
STILL = 1e-10
"""Radians of all joints together in a tick: the arm rests."""
CLOSE = 1e-7
"""Share of a tick's distance that is rounding."""


@jit
def _place(Q: Array, u: float, q: Array) -> None:
    """Write the joints at u rows along the path: a cubic between rows, with the slopes of their neighbours."""
    last = Q.shape[0] - 1
    k = min(int(u), last - 1)
    x = min(u - k, 1.0)
    before, after = max(k - 1, 0), min(k + 2, last)
    for j in range(Q.shape[1]):
        p0, p1 = Q[k, j], Q[k + 1, j]
        m0, m1 = 0.5 * (p1 - Q[before, j]), 0.5 * (Q[after, j] - p0)
        q[j] = p0 + x * (m0 + x * (3.0 * (p1 - p0) - 2.0 * m0 - m1 + x * (2.0 * (p0 - p1) + m0 + m1)))


@jit
def _distance(a: Array, b: Array) -> float:
    total = 0.0
    for j in range(a.shape[0]):
        total += (a[j] - b[j]) * (a[j] - b[j])
    return math.sqrt(total)


@jit
def _strain(q: Array, now: Array, before: Array, most: Array) -> float:
    """Return the largest share of its deceleration that a joint feels; `most` is per tick squared."""
    worst = 0.0
    for j in range(q.shape[0]):
        worst = max(worst, abs(q[j] - 2.0 * now[j] + before[j]) / most[j])
    return worst


@jit
def _find(Q: Array, u: float, end: float, d: float, now: Array, q: Array) -> float:
    """Return where, from u up to `end`, the path is d away from `now`; writes the joints there."""
    low, high = u, end
    _place(Q, high, q)
    most = _distance(q, now)
    if most <= d:
        return high
    at = u + (end - u) * d / most
    for _ in range(SECANTS):
        _place(Q, at, q)
        here = _distance(q, now)
        if abs(here - d) <= CLOSE * d:
            return at
        if here < d:
            low = at
        else:
            high = at
        guess = u + (at - u) * d / here if here > 0.0 else 0.5 * (low + high)
        at = guess if low < guess < high else 0.5 * (low + high)
    _place(Q, at, q)
    return at


@jit
def halt(Q: Array, deceleration: Array, jerk: Array, dt: float, rows: Array) -> int:
    """Write how a path is left: rows from the next tick on; the last is where the arm rests.

    Args:
        Q: (N, n): the row before last, the row where the arm is, and the rows that would come; N is at least 3.
        deceleration: (n,): largest.
        jerk: (n,): how fast it rises and is released.
        dt: Seconds between rows.
        rows: (M, n): written.

    Returns:
        How many rows were written; M where they did not suffice.
    """
    n, end = Q.shape[1], float(Q.shape[0] - 1)
    before, now, q, most = Q[0].copy(), Q[1].copy(), np.empty(n), deceleration * (dt * dt)
    d, u = _distance(now, before), 1.0
    slower = max(0.0, d - _distance(Q[2], now))
    for count in range(rows.shape[0]):
        if d <= STILL or u >= end:
            rows[count] = now
            return count + 1
        # Jerk along the path, in joint space per tick cubed.
        j_path = math.inf
        for j in range(n):
            along = abs(now[j] - before[j]) / d
            if along > 1e-6:
                j_path = min(j_path, jerk[j] * dt * dt * dt / along)
        # With more than the second, what is braked now could not be released before the arm rests.
        less = min(slower + j_path, 0.5 * (math.sqrt(j_path * j_path + 8.0 * j_path * d) - j_path))
        target = max(0.0, d - less)
        limit = min(u + 1.0, end)
        at = u
        if target > 0.0:
            at = _find(Q, u, limit, target, now, q)
        else:
            q[:] = now
        if _strain(q, now, before, most) > 1.0 and at < limit:
            low, high = at, _find(Q, u, limit, d, now, q)
            if _strain(q, now, before, most) <= 1.0:
                for _ in range(HALVINGS):
                    at = 0.5 * (low + high)
                    _place(Q, at, q)
                    if _strain(q, now, before, most) <= 1.0:
                        high = at
                    else:
                        low = at
                at = high
            else:
                # The path alone takes more than there is: what strains the joints least.
                least = math.inf
                for i in range(TRIES + 1):
                    u_try = low + (high - low) * i / TRIES
                    _place(Q, u_try, q)
                    strain = _strain(q, now, before, most)
                    if strain < least:
                        least, at = strain, u_try
            _place(Q, at, q)
        rows[count] = q
        gone = min(_distance(q, now), d)
        slower, d, u = d - gone, gone, at
        before[:] = now
        now[:] = q
    return rows.shape[0]
