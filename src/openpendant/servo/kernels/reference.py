"""The reference: a tool that moves smoothly as is wanted, a little ahead of the real one.

The reference is led by a goal (a velocity, or a pose that moves), with bounded speed and acceleration. The arm follows
the reference. Where it cannot, the reference waits for it; where something is in the way, it is dragged along, so that
it never runs off and a wish in another direction is obeyed at once.

Derivation: the velocity towards a goal at distance e is the smaller of λ e and √(2 b e), the speed from which half of
the acceleration, b, still comes to rest at the goal. It is followed as by a critically damped filter of second order,
a' = ω² (w - v) - 2 ω a, whose acceleration is continuous. The rotation vector of a matrix comes from its
antisymmetric part and its trace, 2 sin and 1 + 2 cos; at half a turn, where the first vanishes, from the symmetric
part.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .chain import turn
from .compile import jit

Array = NDArray[np.float64]

REFERENCE = 24
"""p (3), R (9), velocity (3 + 3), acceleration (3 + 3)."""

DELAY_S = 0.06
"""With which joints answer, about."""
PUSH, TURN_PUSH = 0.05, 0.5
"""m/s and rad/s: against what is in the way, the tool is asked to be no more than this faster than it is."""

# Settings, by place.
SPEED, TURN, ACCELERATION, TURN_ACCELERATION, LEAD, SMOOTH, FEEDBACK = 0, 1, 2, 3, 4, 5, 6
WAIT_FROM, WAIT_AT, DRAG, TURN_WAIT_FROM, TURN_WAIT_AT, TURN_DRAG, BLOCKED_DRAG = 7, 8, 9, 10, 11, 12, 13


@jit
def _log(A: Array, B: Array, out: Array) -> None:
    """Write the rotation vector of A Bᵀ, with A flat (9,) and B the (3, 4) of a pose."""
    M = np.empty((3, 3))
    for r in range(3):
        for c in range(3):
            M[r, c] = A[3 * r] * B[c, 0] + A[3 * r + 1] * B[c, 1] + A[3 * r + 2] * B[c, 2]
    x, y, z = 0.5 * (M[2, 1] - M[1, 2]), 0.5 * (M[0, 2] - M[2, 0]), 0.5 * (M[1, 0] - M[0, 1])
    s = math.sqrt(x * x + y * y + z * z)
    c = 0.5 * (M[0, 0] + M[1, 1] + M[2, 2] - 1.0)
    if s > 1e-6 or c > 0.0:
        k = 1.0 if s < 1e-9 else math.atan2(s, c) / s
        out[0], out[1], out[2] = k * x, k * y, k * z
        return
    # Half a turn: the axis is the column of M + 1 with the greatest length.
    best, at = -1.0, 0
    for i in range(3):
        if M[i, i] > best:
            best, at = M[i, i], i
    d = math.sqrt(max(0.5 * (M[at, at] + 1.0), 1e-12))
    for i in range(3):
        out[i] = math.pi * (d if i == at else 0.5 * M[i, at] / d)


@jit
def _shorten(vector: Array, most: float) -> float:
    """Shorten a vector to `most`; return its length before."""
    size = math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    if size > most:
        for i in range(3):
            vector[i] *= most / size
    return size


@jit
def _lead(error: Array, moving: Array, lead: float, braking: float, most: float) -> None:
    """Turn the way to a goal, in place, into the velocity with which to go there; the goal moves itself."""
    size = math.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    speed = min(lead * size, math.sqrt(2.0 * braking * size))
    for i in range(3):
        error[i] = moving[i] + (error[i] * speed / size if size > 0.0 else 0.0)
    _shorten(error, most)


@jit
def _smooth(wanted: Array, v: Array, a: Array, omega: float, most: float, dt: float) -> None:
    """Let v follow what is wanted, with bounded and continuous acceleration."""
    for i in range(3):
        a[i] += dt * (omega * omega * (wanted[i] - v[i]) - 2.0 * omega * a[i])
    _shorten(a, most)
    for i in range(3):
        v[i] += dt * a[i]


@jit
def _wait(error: Array, v: Array, first: float, last: float) -> float:
    """Return with which share of its speed the reference goes on: less, the more it is ahead and still gaining."""
    gaining = error[0] * v[0] + error[1] * v[1] + error[2] * v[2]
    if gaining <= 0.0:
        return 1.0
    size = math.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    return min(max((last - size) / (last - first), 0.0), 1.0)


@jit
def settle(ref: Array, T: Array, J: Array, qd: Array) -> None:
    """Put the reference where the tool is, as fast as it is."""
    for r in range(3):
        ref[r] = T[r, 3]
        for c in range(3):
            ref[3 + 3 * r + c] = T[r, c]
    for r in range(6):
        ref[12 + r] = 0.0
        ref[18 + r] = 0.0
        for j in range(qd.shape[0]):
            ref[12 + r] += J[r, j] * qd[j]


@jit
def demand(
    ref: Array,
    goal: Array,
    T: Array,
    going: Array,
    settings: Array,
    blocked: float,
    dt: float,
    out: Array,
) -> None:
    """Let the reference go on for a tick, and write what the tool should do now.

    Args:
        ref: (REFERENCE,): changed.
        goal: (27,): 0 velocity or 1 pose; 1 where the velocity is in the tool's axes; velocity (6); pose p (3), R (9),
            its velocity (6), the time since it was there.
        T: (3, 4): the tool.
        going: (6,): its velocity.
        settings: By place, above.
        blocked: 0 to 1: how long already something is in the way: the reference is dragged along instead of waiting,
            and pushes gently.
        dt: The tick.
        out: (12,): written: velocity (3 + 3) for the tool, and how far the reference will be ahead (3 + 3).
    """
    v, w = out[:3], out[3:6]
    ep, er = out[6:9], out[9:12]
    if goal[0] == 0.0:
        for i in range(3):
            if goal[1] != 0.0:
                r = 3 + 3 * i
                v[i] = ref[r] * goal[2] + ref[r + 1] * goal[3] + ref[r + 2] * goal[4]
                w[i] = ref[r] * goal[5] + ref[r + 1] * goal[6] + ref[r + 2] * goal[7]
            else:
                v[i], w[i] = goal[2 + i], goal[5 + i]
        _shorten(v, settings[SPEED])
        _shorten(w, settings[TURN])
    else:
        t = goal[26]
        R, G = np.empty((3, 3)), np.empty(9)
        turn(t * goal[23], t * goal[24], t * goal[25], R)
        for r in range(3):
            v[r] = goal[8 + r] + t * goal[20 + r] - ref[r]
            for c in range(3):
                G[3 * r + c] = R[r, 0] * goal[11 + c] + R[r, 1] * goal[14 + c] + R[r, 2] * goal[17 + c]
        here = np.empty((3, 4))
        for r in range(3):
            for c in range(3):
                here[r, c] = ref[3 + 3 * r + c]
        _log(G, here, w)
        _lead(v, goal[20:23], settings[LEAD], 0.5 * settings[ACCELERATION], settings[SPEED])
        _lead(w, goal[23:26], settings[LEAD], 0.5 * settings[TURN_ACCELERATION], settings[TURN])
    _smooth(v, ref[12:15], ref[18:21], settings[SMOOTH], settings[ACCELERATION], dt)
    _smooth(w, ref[15:18], ref[21:24], settings[SMOOTH], settings[TURN_ACCELERATION], dt)
    for i in range(3):
        ep[i] = ref[i] - T[i, 3]
    _log(ref[3:12], T, er)
    share = 1.0
    if blocked < 0.5:
        share = _wait(ep, ref[12:15], settings[WAIT_FROM], settings[WAIT_AT])
        share = min(share, _wait(er, ref[15:18], settings[TURN_WAIT_FROM], settings[TURN_WAIT_AT]))
    R = np.empty((3, 3))
    for i in range(3):
        ep[i] += share * dt * ref[12 + i]
        er[i] += share * dt * ref[15 + i]
    _shorten(ep, settings[BLOCKED_DRAG] if blocked >= 0.5 else settings[DRAG])
    _shorten(er, settings[TURN_DRAG])
    turn(er[0], er[1], er[2], R)
    for r in range(3):
        ref[r] = T[r, 3] + ep[r]
        for c in range(3):
            ref[3 + 3 * r + c] = R[r, 0] * T[0, c] + R[r, 1] * T[1, c] + R[r, 2] * T[2, c]
    # Joints answer with a delay: what counts is how far the reference will be ahead when they do.
    free = 1.0 - blocked
    for i in range(3):
        ep[i] += DELAY_S * (share * ref[12 + i] - going[i])
        er[i] += DELAY_S * (share * ref[15 + i] - going[3 + i])
        v[i] = share * ref[12 + i] + settings[FEEDBACK] * ep[i] - going[i]
        w[i] = share * ref[15 + i] + settings[FEEDBACK] * er[i] - going[3 + i]
    _shorten(v, PUSH + 4.0 * free * settings[SPEED])
    _shorten(w, TURN_PUSH + 4.0 * free * settings[TURN])
    for i in range(3):
        v[i] += going[i]
        w[i] += going[3 + i]
    _shorten(v, 1.2 * settings[SPEED])
    _shorten(w, 1.2 * settings[TURN])
