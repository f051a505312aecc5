"""The quadratic program of a tick: joint velocities that move the tool as wanted, as far as the arm can.

Rotation gives way to position by weights, as in damped least squares. Obstacles are velocity dampers. DAQP solves it.

Source: damped least squares, Y. Nakamura and H. Hanafusa, Inverse kinematic solutions with singularity robustness for
robot manipulator control, J. Dynamic Systems, Measurement, and Control 108(3), 1986; velocity dampers, B. Faverjon
and P. Tournassoud, A local based approach for path planning of manipulators with a high number of degrees of freedom,
ICRA 1987.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .chain import point_row
from .compile import jit
from .limiter import SLACK, advance, safe, share_for, time_to
from .singular import guard

Array = NDArray[np.float64]

LENGTH = 0.25
"""Metres that count as much as one radian."""
POSITION_GIVES, POSITION_GIVEN = 0.06, 0.12
"""Metres: where a position that gives way begins to count more, and where it counts in full."""
ROTATION_GIVES, ROTATION_GIVEN = 0.35, 0.6
"""Radians: the same for the rotation."""
BLOCKED_WEIGHT = 0.2
"""Of what gives way, where something is in the way."""
BACK = 0.02
"""m/s: what is too near to an obstacle goes back no faster than this."""
MARGIN_SHARE = 0.15
"""Of the range of a joint, at each end: where a redundant arm begins to keep away from the limit."""


@jit
def _ramp(error: Array, first: float, last: float) -> float:
    """Return 0 for errors below `first`, 1 above `last`, and in between."""
    size = math.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    x = min(max((size - first) / (last - first), 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@jit
def _constrain(
    chain: Array, places: Array, obstacles: Array, approach: Array, A: Array, upper: Array, lower: Array
) -> None:
    """Write the rows of obstacles after those of the joints: towards an obstacle no faster than its distance allows."""
    n = chain.shape[0]
    for k in range(obstacles.shape[0]):
        point_row(chain, places, obstacles[k], A[k])
        room = obstacles[k, 0] - approach[0]
        if room >= 0.0:
            lower[n + k] = -room / approach[1]
        else:
            lower[n + k] = min(-room / approach[1], BACK)
        upper[n + k] = 1e6


@jit
def _box(v: Array, a: Array, limits: Array, bounds: Array, ahead: float, upper: Array, lower: Array) -> None:
    """Write the velocities that may be wanted: those a joint can reach soon, so that all joints keep step."""
    for j in range(v.shape[0]):
        A, J = limits[3, j], limits[4, j]
        u = v[j] + 0.5 * a[j] * abs(a[j]) / J
        upper[j] = min(bounds[1, j], max(u + A * ahead, 0.0))
        lower[j] = max(bounds[0, j], min(u - A * ahead, 0.0))


@jit
def tool_program(
    chain: Array,
    places: Array,
    J: Array,
    twist: Array,
    weights: Array,
    blocked: float,
    q: Array,
    v: Array,
    a: Array,
    limits: Array,
    bounds: Array,
    obstacles: Array,
    approach: Array,
    weak: Array,
    H: Array,
    f: Array,
    A: Array,
    upper: Array,
    lower: Array,
) -> None:
    """Write min ½ wᵀHw + fᵀw, lower <= (w, A w) <= upper.

    Args:
        chain: As `place_chain`.
        places: As `place_chain` writes them.
        J: (6, n).
        twist: (12,): what the tool should do, and how far its reference is ahead; what cannot be had at the edge of
            reach is taken away.
        weights: Of position and rotation, damping (of all motions, and of the weakest near a singularity), for
            redundant arms the pull away from limits, and how many seconds of acceleration ahead a velocity may be
            wanted. Dampings and pull count against what gives way.
        blocked: 0 to 1: how long already something is in the way.
        q: Joints.
        v: Their velocities.
        a: Their accelerations.
        limits: (5, n).
        bounds: (2, n): as `limiter.bounds` writes them.
        obstacles: (K, 8).
        approach: The gap to keep, the time constant.
        weak: (10,): as `guard`; changed.
        H: (n, n): written, as all that follow.
        f: (n,).
        A: (K + 2, n).
        upper: (n + K + 2,).
        lower: (n + K + 2,).
    """
    n = q.shape[0]
    metre = 1.0 / LENGTH**2
    # What gives way does so only so far: from there on it counts as much as what is kept. And little where something is
    # in the way: a tool that is pushed against it should not tip over.
    position = weights[0] + (1.0 - weights[0]) * _ramp(twist[6:9], POSITION_GIVES, POSITION_GIVEN)
    rotation = weights[1] + (1.0 - weights[1]) * _ramp(twist[9:12], ROTATION_GIVES, ROTATION_GIVEN)
    position, rotation = max(position, BLOCKED_WEIGHT * blocked), max(rotation, BLOCKED_WEIGHT * blocked)
    least = min(position, rotation)
    scale, wish = np.ones(6), np.empty(6)
    scale[:3] = 1.0 / LENGTH
    for r in range(6):
        wish[r] = scale[r] * twist[r]
    H[:, :] = 0.0
    k = obstacles.shape[0]
    damping = np.array([weights[3] * least, weights[3] * position])
    guard(chain, places, J, scale, damping, weak, wish, H, A[k:], lower[n + k :])
    upper[n + k :] = 1e6
    for r in range(6):
        twist[r] = wish[r] / scale[r]
    for i in range(n):
        for j in range(i, n):
            p = J[0, i] * J[0, j] + J[1, i] * J[1, j] + J[2, i] * J[2, j]
            r = J[3, i] * J[3, j] + J[4, i] * J[4, j] + J[5, i] * J[5, j]
            H[i, j] += position * metre * p + rotation * r
            H[j, i] = H[i, j]
        p = J[0, i] * twist[0] + J[1, i] * twist[1] + J[2, i] * twist[2]
        r = J[3, i] * twist[3] + J[4, i] * twist[4] + J[5, i] * twist[5]
        f[i] = -position * metre * p - rotation * r
        H[i, i] += weights[2] * least
        if weights[4] > 0.0:
            span = limits[1, i] - limits[0, i]
            away = 0.0
            if span < 1e3:
                edge = MARGIN_SHARE * span
                away = max(limits[0, i] + edge - q[i], 0.0) - max(q[i] - limits[1, i] + edge, 0.0)
            H[i, i] += weights[4] * least
            f[i] -= weights[4] * least * 2.0 * away
    _box(v, a, limits, bounds, weights[5], upper, lower)
    _constrain(chain, places, obstacles, approach, A, upper, lower)


@jit
def joint_program(
    chain: Array,
    places: Array,
    wanted: Array,
    limits: Array,
    bounds: Array,
    obstacles: Array,
    approach: Array,
    H: Array,
    f: Array,
    A: Array,
    upper: Array,
    lower: Array,
) -> None:
    """Write the same for joint velocities that are wanted directly."""
    n = wanted.shape[0]
    H[:, :] = 0.0
    for j in range(n):
        H[j, j] = 1.0 / limits[2, j] ** 2
        f[j] = -wanted[j] * H[j, j]
        upper[j], lower[j] = bounds[1, j], bounds[0, j]
    _constrain(chain, places, obstacles, approach, A, upper, lower)
    k = obstacles.shape[0]
    A[k:] = 0.0
    A[k:, 0] = 1.0
    lower[n + k :], upper[n + k :] = -1e6, 1e6


@jit
def apply(w: Array, state: Array, limits: Array, bounds: Array, together: bool, dt: float) -> None:
    """Move the joints towards w for a tick, in place.

    Args:
        w: Velocities.
        state: (3, n): q, v and a; changed.
        limits: (5, n).
        bounds: (2, n): as `limiter.bounds` writes them.
        together: Whether all joints take as long as the slowest, so that the tool does not swerve meanwhile.
        dt: The tick.
    """
    n = w.shape[0]
    longest = 0.0
    if together:
        for j in range(n):
            want = min(max(w[j], bounds[0, j]), bounds[1, j])
            longest = max(longest, time_to(state[1, j], state[2, j], want, limits[3, j], limits[4, j]))
    way = np.empty(3)
    for j in range(n):
        q, v, a = state[0, j], state[1, j], state[2, j]
        V, A, J = limits[2, j], limits[3, j], limits[4, j]
        want = min(max(w[j], bounds[0, j]), bounds[1, j])
        share = share_for(longest, v, a, want, A, J) if together else 1.0
        way[0], v1, a1, way[1], way[2] = advance(v, a, want, share * A, share * J, dt)
        if share < 1.0:
            above, below = limits[1, j] - q - SLACK, q - limits[0, j] - SLACK
            # Within the tick, where acceleration passes through zero, the joint is fastest.
            turns = a * a1 < 0.0 and abs(v + 0.5 * a * abs(a) / (share * J)) > V
            if turns or not safe(below, above, way, v1, a1, V, A, J):
                way[0], v1, a1, way[1], way[2] = advance(v, a, want, A, J, dt)
        state[0, j], state[1, j], state[2, j] = q + way[0], v1, a1


@jit
def limits_held(w: Array, forces: Array, bounds: Array, limits: Array, J: Array, twist: Array, out: Array) -> None:
    """Write what keeps the arm from doing all that is wanted.

    Args:
        w: The answer of the program.
        forces: Its multipliers; not 0 where a bound holds the answer.
        bounds: (2, n): as `limiter.bounds` writes them.
        limits: (5, n).
        J: (6, n).
        twist: (6,).
        out: (5 + n,): written: 1 where a joint's limit, an obstacle or the edge of reach is in the way, 1 where a joint
            is at its top speed, the parts of translation and rotation that are done (1: all, or as good as nothing is
            wanted), 1 at the edge of reach, then for each joint 1 where its limit holds it.
    """
    n = w.shape[0]
    out[:] = 0.0
    for j in range(n):
        V = limits[2, j]
        if abs(forces[j]) > 1e-9:
            if (forces[j] > 0.0 and bounds[1, j] < V) or (forces[j] < 0.0 and bounds[0, j] > -V):
                out[0] = out[5 + j] = 1.0
            elif abs(w[j]) >= V * (1.0 - 1e-6):
                out[1] = 1.0
    for k in range(n, forces.shape[0]):
        if abs(forces[k]) > 1e-9:
            out[0] = 1.0
            if k >= forces.shape[0] - 2:
                out[4] = 1.0
    for part in range(2):
        wish, done = 0.0, 0.0
        for r in range(3 * part, 3 * part + 3):
            move = 0.0
            for j in range(n):
                move += J[r, j] * w[j]
            wish += twist[r] * twist[r]
            done += twist[r] * move
        out[2 + part] = done / wish if wish > 1e-5 else 1.0
