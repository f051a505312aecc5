"""Redundant arms: move along the joints that leave the flange where it is.

A projected step along the null space, then a descent back to the pose. What is walked along are self-motion manifolds.

Source: projection, A. Liégeois, Automatic supervisory control of the configuration and behavior of multibody
mechanisms, IEEE Trans. SMC 7(12), 1977; manifolds, J. W. Burdick, On the inverse kinematics of redundant
manipulators, ICRA 1989.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .descent import WORK, descend, solve_damped, start_point
from .forward import forward_frames, jacobian

Array = NDArray[np.float64]

CORRECTIONS = 8
DESCENT = 25
WALK = 32
"""Most rows of one walk."""
NULL_DAMPING = 1e-12


@jit
def _free_direction(packed: Array, scale: float, q: Array, J: Array, work: Array, wish: Array) -> float:
    """Replace `wish` (n,) by its unit part that does not move the flange; return that part's length before."""
    n = q.shape[0]
    error, matrix, x, frozen = work[16:22], work[22:58], work[58:64], work[64 : 64 + n]
    jacobian(packed, q, work[:16].reshape(4, 4), J)
    for i in range(6):
        error[i] = 0.0
        for j in range(n):
            frozen[j] = 0.0
            if i < 3:
                J[i, j] *= scale
            error[i] += J[i, j] * wish[j]
    solve_damped(J, error, NULL_DAMPING, frozen, matrix, x)
    square = 0.0
    for j in range(n):
        for i in range(6):
            wish[j] -= J[i, j] * x[i]
        square += wish[j] * wish[j]
    length = math.sqrt(square)
    if length > 1e-9:
        for j in range(n):
            wish[j] /= length
    return length


@jit
def _inside(limits: Array, q: Array) -> bool:
    outside = 0
    for j in range(q.shape[0]):
        if q[j] < limits[0, j] or q[j] > limits[1, j]:
            outside += 1
    return outside == 0


@jit
def walk(packed: Array, limits: Array, target: Array, scale: float, step: float, sense: float, Q: Array) -> int:
    """Walk from the solution Q[0] along the self-motion, writing a solution every `step` radians into Q (K, n).

    `sense` is +1 or -1. Ends at a joint limit, where the walk returns to its start, or where Q is full.
    Return the number of rows written, the first included.
    """
    n = Q.shape[1]
    J = np.zeros((6, n))
    work = np.empty(WORK)
    endless = np.empty((2, n))
    direction = np.empty(n)
    for j in range(n):
        endless[0, j], endless[1, j] = -math.inf, math.inf
        # Any direction will do that is not square to the self-motion; this one has no symmetry.
        direction[j] = sense * math.sqrt(2.0 + j)
    count = 1
    stride = step
    while count < Q.shape[0] and stride > step / 64.0:
        before, q = Q[count - 1], Q[count]
        if _free_direction(packed, scale, before, J, work, direction) < 1e-9:
            break
        for j in range(n):
            q[j] = before[j] + stride * direction[j]
        met = descend(packed, endless, target, scale, q, J, work, CORRECTIONS)
        far = 0.0
        home = 0.0
        for j in range(n):
            far = max(far, abs(q[j] - before[j]))
            home += (q[j] - Q[0, j]) ** 2
        if not met or far > 3.0 * stride or not _inside(limits, q):
            # Shorter steps come closer to the limit.
            stride *= 0.5
            continue
        count += 1
        if count > 3 and home < 0.25 * step * step:
            break
    return count


@jit
def explore(
    packed: Array,
    limits: Array,
    target: Array,
    scale: float,
    seed: Array,
    step: float,
    starts: int,
    Q: Array,
    parts: NDArray[np.int64],
) -> int:
    """Find self-motions from the seed and other starts, and walk along each in both senses.

    Rows go into Q (K, n); the walks begin at parts[0], parts[1], …, and the last of them ends at the entry after it.
    Return the number of walks.
    """
    n = Q.shape[1]
    J = np.zeros((6, n))
    work = np.empty(WORK)
    parts[0] = 0
    walks = 0
    for attempt in range(starts):
        count = parts[walks]
        if walks + 2 >= parts.shape[0] or count + 2 * WALK > Q.shape[0]:
            break
        q = Q[count]
        if attempt == 0:
            for j in range(n):
                q[j] = min(max(seed[j], limits[0, j]), limits[1, j])
        else:
            start_point(limits, attempt, q)
        if not descend(packed, limits, target, scale, q, J, work, DESCENT):
            continue
        known = False
        for k in range(count):
            far = 0.0
            for j in range(n):
                far = max(far, abs(_off(Q[k, j], q[j])))
            if far < step:
                known = True
                break
        if known:
            continue
        for sense in range(2):
            begin = parts[walks]
            Q[begin] = Q[count]
            rows = walk(packed, limits, target, scale, step, 1.0 - 2.0 * sense, Q[begin : begin + WALK])
            walks += 1
            parts[walks] = begin + rows
    return walks


@jit
def settle(packed: Array, limits: Array, target: Array, scale: float, seed: Array, q: Array) -> None:
    """Move the solution q along its self-motion to where it is nearest to the seed, inside the limits."""
    n = q.shape[0]
    J = np.zeros((6, n))
    work = np.empty(WORK)
    trial = np.empty(n)
    wish = np.empty(n)
    gap = 0.0
    for j in range(n):
        gap += (seed[j] - q[j]) ** 2
    longest = 0.5
    for _ in range(20):
        square = 0.0
        for j in range(n):
            wish[j] = seed[j] - q[j]
        length = _free_direction(packed, scale, q, J, work, wish)
        if length < 1e-9:
            return
        length = min(length, longest)
        for j in range(n):
            trial[j] = min(max(q[j] + length * wish[j], limits[0, j]), limits[1, j])
        met = descend(packed, limits, target, scale, trial, J, work, CORRECTIONS)
        for j in range(n):
            square += (seed[j] - trial[j]) ** 2
        if met and square < gap:
            for j in range(n):
                q[j] = trial[j]
            if gap - square < 1e-14:
                return
            gap = square
        else:
            longest = 0.25 * length
            if longest < 1e-6:
                return


@jit
def arm_angle(packed: Array, q: Array, frames: Array) -> float:
    """Return the angle of the elbow about the line from shoulder to wrist, counted from axis 1; NaN where undefined.

    Shoulder, elbow and wrist are the places of the second, fourth and sixth joint from the base.
    `frames` (n + 1, 4, 4) is scratch.
    """
    forward_frames(packed, q, frames)
    # packed[22:25] is axis 1 in its joint's own frame.
    ax = frames[0, 0, 0] * packed[22] + frames[0, 0, 1] * packed[23] + frames[0, 0, 2] * packed[24]
    ay = frames[0, 1, 0] * packed[22] + frames[0, 1, 1] * packed[23] + frames[0, 1, 2] * packed[24]
    az = frames[0, 2, 0] * packed[22] + frames[0, 2, 1] * packed[23] + frames[0, 2, 2] * packed[24]
    lx, ly, lz = (
        frames[5, 0, 3] - frames[1, 0, 3],
        frames[5, 1, 3] - frames[1, 1, 3],
        frames[5, 2, 3] - frames[1, 2, 3],
    )
    ex, ey, ez = (
        frames[3, 0, 3] - frames[1, 0, 3],
        frames[3, 1, 3] - frames[1, 1, 3],
        frames[3, 2, 3] - frames[1, 2, 3],
    )
    length = math.sqrt(lx * lx + ly * ly + lz * lz)
    if length < 1e-9:
        return math.nan
    lx, ly, lz = lx / length, ly / length, lz / length
    # Both directions seen along the line; their parts along it drop out of the sine, not of the cosine.
    sine = lx * (ay * ez - az * ey) + ly * (az * ex - ax * ez) + lz * (ax * ey - ay * ex)
    cosine = ax * ex + ay * ey + az * ez - (ax * lx + ay * ly + az * lz) * (ex * lx + ey * ly + ez * lz)
    if sine * sine + cosine * cosine < 1e-24:
        return math.nan
    return math.atan2(sine, cosine)


@jit
def _off(angle: float, wanted: float) -> float:
    difference = angle - wanted
    return difference - 2.0 * math.pi * math.floor(difference / (2.0 * math.pi) + 0.5)


@jit
def cross(
    packed: Array, limits: Array, target: Array, scale: float, wanted: float, a: Array, b: Array, q: Array
) -> bool:
    """Write into q the solution between the neighbours a and b of one self-motion whose arm angle is `wanted`."""
    n = q.shape[0]
    J = np.zeros((6, n))
    work = np.empty(WORK)
    low, high = 0.0, 1.0
    frames = np.empty((n + 1, 4, 4))
    angle_a, angle_b = arm_angle(packed, a, frames), arm_angle(packed, b, frames)
    if math.isnan(angle_a) or math.isnan(angle_b):
        return False
    at_low, at_high = _off(angle_a, wanted), _off(angle_b, wanted)
    if at_low * at_high > 0.0 or abs(at_high - at_low) > 0.5 * math.pi:
        return False
    for _ in range(60):
        # Regula falsi held off the ends: bisection would need all 60 rounds.
        share = at_low / (at_low - at_high) if at_low != at_high else 0.5
        middle = low + min(max(share, 0.02), 0.98) * (high - low)
        for j in range(n):
            q[j] = a[j] + middle * (b[j] - a[j])
        if not descend(packed, limits, target, scale, q, J, work, 3 * CORRECTIONS):
            return False
        here = _off(arm_angle(packed, q, frames), wanted)
        if abs(here) < 1e-12:
            return True
        if here * at_low > 0.0:
            low, at_low = middle, here
        else:
            high, at_high = middle, here
        if high - low < 1e-15:
            break
    return abs(_off(arm_angle(packed, q, frames), wanted)) < 1e-9
