"""Steering from tick to tick: velocities and setpoints, within velocity and acceleration.

Every step advances `raw` (2, 6): joints and velocities, whose accelerations may step.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .arm import frames, rotation_vector, tool_jacobian
from .compile import jit
from .step import DT

__all__ = [
    "approach_velocity",
    "follow_setpoint",
    "joint_at_limit",
    "joint_speed_for",
    "solve_near",
    "tool_twist",
]

Array = NDArray[np.float64]


@jit
def approach_velocity(raw: Array, wanted: Array, acceleration: float, hardest: Array, top: Array) -> float:
    """Bring joint velocities towards `wanted` evenly, the leading joint at `acceleration`, and move for one tick.

    Args:
        raw: (2, 6).
        wanted: (6,) rad/s.
        acceleration: Of the leading joint.
        hardest: (6,) no joint accelerates more.
        top: (6,) no joint is faster.

    Returns:
        The largest difference from `wanted` that is left, rad/s.
    """
    lead, worst = 0.0, 0.0
    for i in range(6):
        gap = abs(wanted[i] - raw[1, i])
        lead = max(lead, gap)
        worst = max(worst, gap / hardest[i])
    left = 0.0
    if lead > 0.0:
        share = min(1.0, acceleration * DT / lead, DT / worst)
        for i in range(6):
            step = share * (wanted[i] - raw[1, i])
            before = raw[1, i]
            raw[1, i] = min(max(before + step, -top[i]), top[i])
            raw[0, i] += 0.5 * (before + raw[1, i]) * DT
            left = max(left, abs(wanted[i] - raw[1, i]))
    else:
        for i in range(6):
            raw[0, i] += raw[1, i] * DT
    return left


@jit
def follow_setpoint(
    raw: Array, setpoint: Array, ahead: float, gain: float, hardest: Array, top: Array, factor: float
) -> None:
    """Servoj for one tick: q'' = gain · (setpoint - (q + ahead · q')), within velocity and acceleration.

    Args:
        raw: (2, 6).
        setpoint: (6,).
        ahead: Seconds: the present position is projected so far before it is compared.
        gain: 1/s².
        hardest: (6,) largest acceleration.
        top: (6,) largest velocity.
        factor: Part of the velocity that may be used (speed slider).
    """
    for i in range(6):
        error = setpoint[i] - raw[0, i]
        v = raw[1, i]
        pull = gain * (error - ahead * v)
        # A far setpoint must not be reached faster than the joint can brake.
        fast = min(top[i] * factor, math.sqrt(1.6 * hardest[i] * abs(error)))
        wanted = v + pull * DT
        if error > 0.0:
            wanted = min(wanted, fast)
        elif error < 0.0:
            wanted = max(wanted, -fast)
        wanted = min(max(wanted, v - hardest[i] * DT), v + hardest[i] * DT)
        wanted = min(max(wanted, -top[i]), top[i])
        raw[0, i] += 0.5 * (v + wanted) * DT
        raw[1, i] = wanted


@jit
def joint_speed_for(dh: Array, tool: Array, q: Array, twist: Array, damping: float, out: Array) -> float:
    """Write the joint velocities for a tool twist (6,) in base axes by damped least squares into `out` (6,).

    Returns:
        The smallest pivot that was met: near 0 is singular.
    """
    T, J, tip = np.empty((7, 3, 4)), np.empty((6, 6)), np.empty((3, 4))
    frames(dh, q, T)
    tool_jacobian(T, tool, J, tip)
    A = np.empty((6, 7))
    for row in range(6):
        for column in range(6):
            total = 0.0
            for k in range(6):
                total += J[row, k] * J[column, k]
            A[row, column] = total
        A[row, row] += damping * damping
        A[row, 6] = twist[row]
    smallest = 1e30
    for p in range(6):
        pivot = p
        for row in range(p + 1, 6):
            if abs(A[row, p]) > abs(A[pivot, p]):
                pivot = row
        if pivot != p:
            for column in range(p, 7):
                A[p, column], A[pivot, column] = A[pivot, column], A[p, column]
        smallest = min(smallest, abs(A[p, p]))
        for row in range(p + 1, 6):
            share = A[row, p] / A[p, p]
            for column in range(p, 7):
                A[row, column] -= share * A[p, column]
    for row in range(5, -1, -1):
        value = A[row, 6]
        for column in range(row + 1, 6):
            value -= A[row, column] * A[column, 6]
        A[row, 6] = value / A[row, row]
    for i in range(6):
        out[i] = 0.0
        for row in range(6):
            out[i] += J[row, i] * A[row, 6]
    return smallest


@jit
def joint_at_limit(raw: Array, lower: Array, upper: Array, acceleration: float) -> int:
    """Return the joint that would pass its limit if all brake evenly now, the leading one at `acceleration`; or -1."""
    lead = 0.0
    for i in range(6):
        lead = max(lead, abs(raw[1, i]))
    time = lead / acceleration + 2.0 * DT
    for i in range(6):
        end = raw[0, i] + 0.5 * raw[1, i] * time
        if (raw[1, i] > 0.0 and end > upper[i]) or (raw[1, i] < 0.0 and end < lower[i]):
            return i
    return -1


@jit
def tool_twist(dh: Array, tool: Array, raw: Array, out: Array) -> None:
    """Write the twist of the tool (6,), base axes, for the joints and velocities in `raw`."""
    T, J, tip = np.empty((7, 3, 4)), np.empty((6, 6)), np.empty((3, 4))
    frames(dh, raw[0], T)
    tool_jacobian(T, tool, J, tip)
    for row in range(6):
        out[row] = 0.0
        for i in range(6):
            out[row] += J[row, i] * raw[1, i]


@jit
def solve_near(dh: Array, T_flange: Array, q: Array) -> bool:
    """Bring the joints q (6,) to where the flange is at T_flange (3, 4), by Newton steps from where they are.

    Returns:
        Whether it is there, to a nanometre; q has moved in any case.
    """
    T, tool, step = np.empty((7, 3, 4)), np.zeros((3, 4)), np.empty(6)
    R, twist = np.empty((3, 3)), np.empty(6)
    for row in range(3):
        tool[row, row] = 1.0
    for _ in range(40):
        frames(dh, q, T)
        for row in range(3):
            twist[row] = T_flange[row, 3] - T[6, row, 3]
            for column in range(3):
                R[row, column] = (
                    T_flange[row, 0] * T[6, column, 0]
                    + T_flange[row, 1] * T[6, column, 1]
                    + T_flange[row, 2] * T[6, column, 2]
                )
        rotation_vector(R, twist[3:])
        size = 0.0
        for row in range(6):
            size = max(size, abs(twist[row]))
        if size < 1e-9:
            return True
        joint_speed_for(dh, tool, q, twist, 1e-5 + 0.02 * min(size, 1.0), step)
        most = 0.0
        for i in range(6):
            most = max(most, abs(step[i]))
        scale = min(1.0, 0.3 / max(most, 1e-12))
        for i in range(6):
            q[i] += scale * step[i]
    return False
