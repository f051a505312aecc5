"""Damped least squares (Levenberg-Marquardt) inside joint limits, with repeatable restarts; for any serial chain.

One work array serves all scratch needs, so nothing is allocated in the loops. Limits is (2, n): lower, upper.
A joint with equal limits is locked.

The damping is half of the squared error that is left.

Source: T. Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method, IEEE Trans.
Robotics 27(5), 2011.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .forward import forward, jacobian

Array = NDArray[np.float64]

WORK = 128
"""Scratch numbers beside the (6, n) Jacobian: 16 pose, 6 error, 36 matrix, 6 solution, joints from 64 and 96."""
MOST_JOINTS = 26
"""What the scratch has room for."""
EXACT = 1e-12
DAMPING_FLOOR = 1e-11
LONGEST_STEP = 0.5


@jit
def pose_error(T: Array, target: Array, scale: float, error: Array) -> float:
    """Write the error (6,) of T against `target` (base axes; metres times `scale`, then radians); return its square."""
    for i in range(3):
        error[i] = scale * (target[i, 3] - T[i, 3])
    # E = target Rᵀ; its rotation vector
    e00 = target[0, 0] * T[0, 0] + target[0, 1] * T[0, 1] + target[0, 2] * T[0, 2]
    e01 = target[0, 0] * T[1, 0] + target[0, 1] * T[1, 1] + target[0, 2] * T[1, 2]
    e02 = target[0, 0] * T[2, 0] + target[0, 1] * T[2, 1] + target[0, 2] * T[2, 2]
    e10 = target[1, 0] * T[0, 0] + target[1, 1] * T[0, 1] + target[1, 2] * T[0, 2]
    e11 = target[1, 0] * T[1, 0] + target[1, 1] * T[1, 1] + target[1, 2] * T[1, 2]
    e12 = target[1, 0] * T[2, 0] + target[1, 1] * T[2, 1] + target[1, 2] * T[2, 2]
    e20 = target[2, 0] * T[0, 0] + target[2, 1] * T[0, 1] + target[2, 2] * T[0, 2]
    e21 = target[2, 0] * T[1, 0] + target[2, 1] * T[1, 1] + target[2, 2] * T[1, 2]
    e22 = target[2, 0] * T[2, 0] + target[2, 1] * T[2, 1] + target[2, 2] * T[2, 2]
    vx, vy, vz = 0.5 * (e21 - e12), 0.5 * (e02 - e20), 0.5 * (e10 - e01)
    sine = math.sqrt(vx * vx + vy * vy + vz * vz)
    cosine = 0.5 * (e00 + e11 + e22 - 1.0)
    if sine > 1e-9:
        factor = math.atan2(sine, cosine) / sine
        vx, vy, vz = factor * vx, factor * vy, factor * vz
    elif cosine < 0.0:
        # Half a turn: the skew part vanishes, the axis is the longest column of E + 1.
        if e00 >= e11 and e00 >= e22:
            vx, vy, vz = 1.0 + e00, e10, e20
        elif e11 >= e22:
            vx, vy, vz = e01, 1.0 + e11, e21
        else:
            vx, vy, vz = e02, e12, 1.0 + e22
        factor = math.pi / math.sqrt(vx * vx + vy * vy + vz * vz)
        vx, vy, vz = factor * vx, factor * vy, factor * vz
    error[3], error[4], error[5] = vx, vy, vz
    total = 0.0
    for i in range(6):
        total += error[i] * error[i]
    return total


@jit
def solve_damped(J: Array, error: Array, damping: float, frozen: Array, matrix: Array, x: Array) -> None:
    """Write x = (J Jᵀ + damping)⁻¹ error over the joints that are not frozen, by Cholesky."""
    n = J.shape[1]
    for i in range(6):
        for k in range(i + 1):
            total = 0.0
            for j in range(n):
                if frozen[j] == 0.0:
                    total += J[i, j] * J[k, j]
            matrix[6 * i + k] = total
        matrix[7 * i] += damping
    for i in range(6):
        for k in range(i + 1):
            total = matrix[6 * i + k]
            for m in range(k):
                total -= matrix[6 * i + m] * matrix[6 * k + m]
            if i == k:
                matrix[7 * i] = math.sqrt(max(total, 1e-300))
            else:
                matrix[6 * i + k] = total / matrix[7 * k]
    for i in range(6):
        total = error[i]
        for m in range(i):
            total -= matrix[6 * i + m] * x[m]
        x[i] = total / matrix[7 * i]
    for r in range(6):
        i = 5 - r
        total = x[i]
        for m in range(i + 1, 6):
            total -= matrix[6 * m + i] * x[m]
        x[i] = total / matrix[7 * i]


@jit
def descend(
    packed: Array, limits: Array, target: Array, scale: float, q: Array, J: Array, work: Array, iterations: int
) -> bool:
    """Move q (n,) inside its limits until it meets `target`; return whether it does (to about 1e-12)."""
    n = q.shape[0]
    T = work[:16].reshape(4, 4)
    error, matrix, x = work[16:22], work[22:58], work[58:64]
    frozen = work[64 : 64 + n]
    last = math.inf
    for _ in range(iterations):
        jacobian(packed, q, T, J)
        square = pose_error(T, target, scale, error)
        if square < EXACT * EXACT:
            return True
        if square < 1e-18 and square > 0.25 * last:
            # Rounding holds it here; good enough is decided by the size of the error.
            return square < 1e-21
        last = square
        for j in range(n):
            frozen[j] = 0.0
            for i in range(3):
                J[i, j] *= scale
            slope = 0.0
            for i in range(6):
                slope += J[i, j] * error[i]
            if (q[j] >= limits[1, j] and slope > 0.0) or (q[j] <= limits[0, j] and slope < 0.0):
                frozen[j] = 1.0
        solve_damped(J, error, max(0.5 * square, DAMPING_FLOOR), frozen, matrix, x)
        for j in range(n):
            if frozen[j] == 0.0:
                step = 0.0
                for i in range(6):
                    step += J[i, j] * x[i]
                q[j] = min(max(q[j] + step, limits[0, j]), limits[1, j])
    return False


@jit
def start_point(limits: Array, index: int, q: Array) -> None:
    """Write the index-th point of an evenly spread, repeatable sequence inside the limits into q."""
    n = q.shape[0]
    # Additive recurrence with the powers of the root of x^(n+1) = x + 1 (Roberts' R sequence).
    root = 1.5
    for _ in range(30):
        root = (1.0 + root) ** (1.0 / (n + 1.0))
    step = 1.0
    for j in range(n):
        step /= root
        share = 0.5 + step * index
        share -= math.floor(share)
        low, high = max(limits[0, j], -math.pi), min(limits[1, j], math.pi)
        if low > high:
            low, high = limits[0, j], limits[1, j]
        q[j] = low + share * (high - low)


@jit
def find_all(
    packed: Array,
    limits: Array,
    target: Array,
    scale: float,
    seed: Array,
    Q: Array,
    iterations: int,
    first: int,
    starts: int,
) -> int:
    """Write distinct solutions found from start `first` up to `starts` into Q (B, n); return how many.

    Start 0 is the seed.
    """
    n = seed.shape[0]
    J = np.zeros((6, n))
    work = np.empty(WORK)
    count = 0
    for attempt in range(first, starts):
        q = Q[count]
        if attempt == 0:
            for j in range(n):
                q[j] = min(max(seed[j], limits[0, j]), limits[1, j])
        else:
            start_point(limits, attempt, q)
        if not descend(packed, limits, target, scale, q, J, work, iterations):
            continue
        known = False
        for k in range(count):
            far = 0.0
            for j in range(n):
                difference = Q[k, j] - q[j]
                difference -= 2.0 * math.pi * math.floor(difference / (2.0 * math.pi) + 0.5)
                far = max(far, abs(difference))
            if far < 1e-5:
                known = True
        if not known:
            count += 1
            if count == Q.shape[0]:
                break
    return count


@jit
def approach(
    packed: Array, limits: Array, target: Array, scale: float, turning: float, q: Array, iterations: int
) -> float:
    """Move q inside its limits to where the error against `target` is smallest nearby; return its square.

    The error counts metres times `scale` and radians times `turning`. Steps that do not help are taken
    back, so the answer never gets worse; used for poses that cannot be met.
    """
    n = q.shape[0]
    J = np.zeros((6, n))
    work = np.empty(WORK)
    T = work[:16].reshape(4, 4)
    error, matrix, x = work[16:22], work[22:58], work[58:64]
    frozen, trial, trial_error = work[64 : 64 + n], work[96 : 96 + n], work[122:128]
    damping = 1e-3
    forward(packed, q, T)
    square = _weighted_error(T, target, scale, turning, error)
    for _ in range(iterations):
        jacobian(packed, q, T, J)
        for j in range(n):
            for i in range(3):
                J[i, j] *= scale
                J[i + 3, j] *= turning
            slope = 0.0
            for i in range(6):
                slope += J[i, j] * error[i]
            pushes = (q[j] >= limits[1, j] and slope > 0.0) or (q[j] <= limits[0, j] and slope < 0.0)
            frozen[j] = 1.0 if pushes else 0.0
        before = square
        moved = 0.0
        while damping < 1e8:
            solve_damped(J, error, damping, frozen, matrix, x)
            moved = 0.0
            for j in range(n):
                step = 0.0
                if frozen[j] == 0.0:
                    for i in range(6):
                        step += J[i, j] * x[i]
                step = min(max(step, -LONGEST_STEP), LONGEST_STEP)
                trial[j] = min(max(q[j] + step, limits[0, j]), limits[1, j])
                moved = max(moved, abs(trial[j] - q[j]))
            forward(packed, trial, T)
            after = _weighted_error(T, target, scale, turning, trial_error)
            if after < square:
                square = after
                for j in range(n):
                    q[j] = trial[j]
                for i in range(6):
                    error[i] = trial_error[i]
                damping = max(0.2 * damping, DAMPING_FLOOR)
                break
            damping *= 4.0
        if square < EXACT * EXACT or before - square <= 1e-13 * before or moved < 1e-9:
            break
    return square


@jit
def _weighted_error(T: Array, target: Array, scale: float, turning: float, error: Array) -> float:
    pose_error(T, target, scale, error)
    total = 0.0
    for i in range(3):
        error[i + 3] *= turning
        total += error[i] * error[i] + error[i + 3] * error[i + 3]
    return total
