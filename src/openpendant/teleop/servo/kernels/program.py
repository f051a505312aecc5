"""The quadratic program of a tick: joint velocities that move the tool as wanted, as far as the arm can."""

import math

import numpy as np
from numpy.typing import NDArray

from .chain import point_row
from .compile import jit
from .limiter import advance

__all__ = ["apply", "joint_program", "limits_held", "tool_program"]

Array = NDArray[np.float64]

MARGIN_SHARE = 0.15
"""Of the range of a joint, at each end: where a redundant arm begins to keep away from the limit."""


@jit
def _constrain(
    chain: Array, places: Array, obstacles: Array, approach: Array, A: Array, upper: Array, lower: Array
) -> None:
    """Write the rows of obstacles after those of the joints: towards an obstacle no faster than its distance allows."""
    n = chain.shape[0]
    for k in range(obstacles.shape[0]):
        point_row(chain, places, obstacles[k], A[k])
        room = max(obstacles[k, 0] - approach[0], 0.0)
        lower[n + k] = -min(room / approach[1], math.sqrt(2.0 * approach[2] * room))
        upper[n + k] = 1e30


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
    q: Array,
    v: Array,
    a: Array,
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
    """Write min ½ wᵀHw + fᵀw, lower <= (w, A w) <= upper.

    Args:
        chain: As `look`.
        places: As `look` writes them.
        J: (6, n).
        twist: (6,): what the tool should do.
        weights: Of position and rotation, damping, for redundant arms the pull away from limits, and how many seconds
            of acceleration ahead a velocity may be wanted.
        q: Joints.
        v: Their velocities.
        a: Their accelerations.
        limits: (5, n).
        bounds: (2, n): as `limiter.bounds` writes them.
        obstacles: (K, 8).
        approach: The gap to keep, the time constant, the deceleration to count on.
        H: (n, n): written, as all that follow.
        f: (n,).
        A: (K, n).
        upper: (n + K,).
        lower: (n + K,).
    """
    n = q.shape[0]
    for i in range(n):
        for j in range(i, n):
            p = J[0, i] * J[0, j] + J[1, i] * J[1, j] + J[2, i] * J[2, j]
            r = J[3, i] * J[3, j] + J[4, i] * J[4, j] + J[5, i] * J[5, j]
            H[i, j] = H[j, i] = weights[0] * p + weights[1] * r
        p = J[0, i] * twist[0] + J[1, i] * twist[1] + J[2, i] * twist[2]
        r = J[3, i] * twist[3] + J[4, i] * twist[4] + J[5, i] * twist[5]
        f[i] = -weights[0] * p - weights[1] * r
        H[i, i] += weights[2]
        if weights[3] > 0.0:
            span = limits[1, i] - limits[0, i]
            away = 0.0
            if span < 1e3:
                edge = MARGIN_SHARE * span
                away = max(limits[0, i] + edge - q[i], 0.0) - max(q[i] - limits[1, i] + edge, 0.0)
            H[i, i] += weights[3]
            f[i] -= weights[3] * 2.0 * away
    _box(v, a, limits, bounds, weights[4], upper, lower)
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


@jit
def apply(w: Array, q: Array, v: Array, a: Array, limits: Array, bounds: Array, dt: float) -> None:
    """Move the joints towards w for a tick, in place."""
    for j in range(q.shape[0]):
        want = min(max(w[j], bounds[0, j]), bounds[1, j])
        x, v[j], a[j], _, _ = advance(v[j], a[j], want, limits[3, j], limits[4, j], dt)
        q[j] += x


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
        out: (4 + n,): written: 1 where a joint's limit or an obstacle is in the way, 1 where a joint is at its top
            speed, the parts of translation and rotation that are done (1: all, or as good as nothing is wanted), then
            for each joint 1 where its limit holds it.
    """
    n = w.shape[0]
    out[:] = 0.0
    for j in range(n):
        V = limits[2, j]
        if abs(forces[j]) > 1e-9:
            if (forces[j] > 0.0 and bounds[1, j] < V) or (forces[j] < 0.0 and bounds[0, j] > -V):
                out[0] = out[4 + j] = 1.0
            elif abs(w[j]) >= V * (1.0 - 1e-6):
                out[1] = 1.0
    for k in range(n, forces.shape[0]):
        if abs(forces[k]) > 1e-9:
            out[0] = 1.0
    for part in range(2):
        wish, done = 0.0, 0.0
        for r in range(3 * part, 3 * part + 3):
            move = 0.0
            for j in range(n):
                move += J[r, j] * w[j]
            wish += twist[r] * twist[r]
            done += twist[r] * move
        out[2 + part] = done / wish if wish > 1e-5 else 1.0
