"""One joint within its limits of position, velocity, acceleration and jerk.

A joint is always on its way to some velocity w, on the fastest way that acceleration A and jerk J allow: jerk ±J, then
constant acceleration, then jerk ∓J, so that it arrives with acceleration 0. What keeps it inside its limits for good is
one invariant: *coming to rest from here stays inside*. A velocity is allowed for the next tick where that still holds
at the tick's end; w = 0 always is, since the rest of a stop that stays inside stays inside.

Velocity needs no more than |w| <= V: u = v + a|a| / 2J, the velocity once the acceleration is taken back, moves towards
w and never past it, and v itself is never beyond the larger of the velocities it comes from and goes to.

Source: the same invariant for acceleration alone, A. Del Prete, Joint position and velocity bounds in discrete-time
acceleration/torque control of robot manipulators, IEEE Robotics and Automation Letters 3(1), 2018.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit

Array = NDArray[np.float64]

HALVINGS = 22
SHARE_HALVINGS = 10
SLACK = 1e-10
"""Room kept at position limits for rounding."""


@jit
def _phases(v: float, a: float, w: float, A: float, J: float) -> tuple[float, float, float, float]:
    """Return the first jerk and the lengths of the three phases from (v, a) to (w, 0)."""
    d = 1.0 if w >= v + 0.5 * a * abs(a) / J else -1.0
    gap, start = d * (w - v), d * a
    peak = max(math.sqrt(max(J * gap + 0.5 * start * start, 0.0)), start, 0.0)
    hold = 0.0
    if peak > A:
        peak = max(A, start)
        hold = max((gap - (peak * peak - 0.5 * start * start) / J) / peak, 0.0)
    return d * J, (peak - start) / J, hold, peak / J


@jit
def _piece(x: float, v: float, a: float, j: float, t: float, low: float, high: float) -> tuple[float, ...]:
    """Follow constant jerk for t; return x, v, a there and the span of x widened by what lies between."""
    # Where v passes through zero, x turns round.
    disc = a * a - 2.0 * j * v
    if disc >= 0.0:
        root = math.sqrt(disc)
        big = -(a + math.copysign(root, a))
        for turn in (big / j if j != 0.0 else -1.0, 2.0 * v / big if big != 0.0 else -1.0):
            if 0.0 < turn < t:
                there = x + turn * (v + turn * (0.5 * a + turn * j / 6.0))
                low, high = min(low, there), max(high, there)
    x += t * (v + t * (0.5 * a + t * j / 6.0))
    v += t * (a + 0.5 * t * j)
    a += t * j
    return x, v, a, min(low, x), max(high, x)


@jit
def advance(v: float, a: float, w: float, A: float, J: float, dt: float) -> tuple[float, ...]:
    """Go towards velocity w for dt; return the way made, v and a then, and the least and greatest way in between."""
    jerk, t1, t2, t3 = _phases(v, a, w, A, J)
    x, low, high = 0.0, 0.0, 0.0
    left = dt
    t = min(t1, left)
    if t > 0.0:
        x, v, a, low, high = _piece(x, v, a, jerk, t, low, high)
        left -= t
    t = min(t2, left)
    if t > 0.0:
        x, v, a, low, high = _piece(x, v, a, 0.0, t, low, high)
        left -= t
    t = min(t3, left)
    if t > 0.0:
        x, v, a, low, high = _piece(x, v, a, -jerk, t, low, high)
        left -= t
    if left > 0.0:
        v, a = w, 0.0
        x, v, a, low, high = _piece(x, v, a, 0.0, left, low, high)
    return x, v, a, low, high


@jit
def stop_span(v: float, a: float, A: float, J: float) -> tuple[float, float]:
    """Return the least and the greatest way made while coming to rest."""
    jerk, t1, t2, t3 = _phases(v, a, 0.0, A, J)
    x, low, high = 0.0, 0.0, 0.0
    x, v, a, low, high = _piece(x, v, a, jerk, t1, low, high)
    x, v, a, low, high = _piece(x, v, a, 0.0, t2, low, high)
    x, v, a, low, high = _piece(x, v, a, -jerk, t3, low, high)
    return low, high


@jit
def stopping_room(V: float, A: float, J: float, dt: float) -> float:
    """Return a way within which any state of the joint comes to rest, one tick of anything included."""
    return stop_span(V, 0.0, A, J)[1] + V * (A / J + dt)


@jit
def _fits(room: float, v: float, a: float, w: float, A: float, J: float, dt: float) -> bool:
    """Return whether, after a tick towards w, the joint still comes to rest less than `room` ahead of here."""
    x, v1, a1, _, high = advance(v, a, w, A, J, dt)
    return max(high, x + stop_span(v1, a1, A, J)[1]) <= room


@jit
def fastest(room: float, v: float, a: float, V: float, A: float, J: float, dt: float) -> float:
    """Return the greatest velocity, 0 to V, that may be wanted for a tick with a limit `room` ahead."""
    if _fits(room, v, a, V, A, J, dt):
        return V
    low, high = 0.0, V
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if _fits(room, v, a, middle, A, J, dt):
            low = middle
        else:
            high = middle
    return low


@jit
def bounds(q: Array, v: Array, a: Array, limits: Array, rooms: Array, dt: float, out: Array) -> None:
    """Write for each joint the least and the greatest velocity that may be wanted for a tick into `out` (2, n).

    Args:
        q: Joints.
        v: Their velocities.
        a: Their accelerations.
        limits: (5, n): lower, upper, velocity, acceleration, jerk.
        rooms: (n,): as `stopping_room`.
        dt: The tick.
        out: Written.
    """
    for j in range(q.shape[0]):
        V, A, J = limits[2, j], limits[3, j], limits[4, j]
        above, below = limits[1, j] - SLACK - q[j], q[j] - limits[0, j] - SLACK
        out[1, j] = V if above > rooms[j] else fastest(above, v[j], a[j], V, A, J, dt)
        out[0, j] = -V if below > rooms[j] else -fastest(below, -v[j], -a[j], V, A, J, dt)


@jit
def time_to(v: float, a: float, w: float, A: float, J: float) -> float:
    """Return how long it takes to get to velocity w."""
    _, t1, t2, t3 = _phases(v, a, w, A, J)
    return t1 + t2 + t3


@jit
def share_for(time: float, v: float, a: float, w: float, A: float, J: float) -> float:
    """Return with which share of acceleration and jerk w is reached in `time`; 1 where it takes all of them."""
    low, high = 0.01, 1.0
    # With less, what acceleration there is could not be taken back before w.
    if a * (w - v) > 0.0:
        low = max(low, min(0.5 * a * a / (J * abs(w - v)), 1.0))
    for _ in range(SHARE_HALVINGS):
        middle = 0.5 * (low + high)
        if time_to(v, a, w, middle * A, middle * J) > time:
            low = middle
        else:
            high = middle
    return high


@jit
def safe(below: float, above: float, x: Array, v: float, a: float, V: float, A: float, J: float) -> bool:
    """Return whether a joint that has made a way x (now, least, greatest) still comes to rest inside its limits."""
    if abs(v + 0.5 * a * abs(a) / J) > V:
        return False
    low, high = stop_span(v, a, A, J)
    return max(x[2], x[0] + high) <= above and min(x[1], x[0] + low) >= -below
