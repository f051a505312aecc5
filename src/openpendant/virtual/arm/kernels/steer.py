"""Steering from tick to tick: velocities and setpoints, within velocity and acceleration.

Every step advances `raw` (2, n): joints and velocities, whose accelerations may step.

Source: joint velocities for a twist by damped least squares, Y. Nakamura and H. Hanafusa, Inverse kinematic solutions
with singularity robustness for robot manipulator control, J. Dynamic Systems, Measurement, and Control 108(3), 1986;
joints for a pose by the same steps with a damping that vanishes with the error, as in Levenberg-Marquardt.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .chain import place_tool, rotation_vector
from .compile import jit

Array = NDArray[np.float64]
SEEN_SHARE = 0.25
"""How much the newest step of a setpoint counts for its velocity."""


@jit
def approach_velocity(raw: Array, wanted: Array, acceleration: float, hardest: Array, top: Array, dt: float) -> float:
    """Bring joint velocities towards `wanted` evenly, the leading joint at `acceleration`, and move for one tick.

    Args:
        raw: (2, n).
        wanted: (n,) rad/s.
        acceleration: Of the leading joint.
        hardest: (n,) no joint accelerates more.
        top: (n,) no joint is faster.
        dt: Seconds of a tick.

    Returns:
        The largest difference from `wanted` that is left, rad/s.
    """
    lead, worst = 0.0, 0.0
    for i in range(raw.shape[1]):
        gap = abs(wanted[i] - raw[1, i])
        lead = max(lead, gap)
        worst = max(worst, gap / hardest[i])
    left = 0.0
    if lead > 0.0:
        share = min(1.0, acceleration * dt / lead, dt / worst)
        for i in range(raw.shape[1]):
            step = share * (wanted[i] - raw[1, i])
            before = raw[1, i]
            raw[1, i] = min(max(before + step, -top[i]), top[i])
            raw[0, i] += 0.5 * (before + raw[1, i]) * dt
            left = max(left, abs(wanted[i] - raw[1, i]))
    else:
        for i in range(raw.shape[1]):
            raw[0, i] += raw[1, i] * dt
    return left


@jit
def follow_setpoint(
    raw: Array,
    setpoint: Array,
    seen: Array,
    ahead: float,
    gain: float,
    hardest: Array,
    top: Array,
    factor: float,
    dt: float,
) -> None:
    """Follow a setpoint for one tick: q'' = gain · (setpoint - (q + ahead · q')), within velocity and acceleration.

    Setpoints that move steadily are followed `ahead` late at any speed. A UR10e followed servoj with 0.03 s and a gain
    of 1200 in 34 ms, of which 4 to 6 ms were transport (Universal_Robots_Client_Library, issue 86).

    Args:
        raw: (2, n).
        setpoint: (n,).
        seen: (2, n) the setpoint of the last tick and its velocity, which this updates.
        ahead: Seconds: the present position is projected so far before it is compared.
        gain: 1/s².
        hardest: (n,) largest acceleration.
        top: (n,) largest velocity.
        factor: Part of the velocity that may be used (speed slider).
        dt: Seconds of a tick.
    """
    for i in range(raw.shape[1]):
        # Some setpoints come a tick late and the next one then makes two steps: the mean of a few tells the velocity.
        step = min(max((setpoint[i] - seen[0, i]) / dt, -top[i]), top[i])
        seen[0, i] = setpoint[i]
        seen[1, i] += SEEN_SHARE * (step - seen[1, i])

        error = setpoint[i] - raw[0, i]
        v = raw[1, i]
        pull = gain * (error - ahead * v)
        # The arm must not come nearer to a far setpoint faster than the joint can brake.
        nearer = math.sqrt(1.6 * hardest[i] * abs(error))
        wanted = v + pull * dt
        if error > 0.0:
            wanted = min(wanted, min(top[i] * factor, nearer + max(seen[1, i], 0.0)))
        elif error < 0.0:
            wanted = max(wanted, -min(top[i] * factor, nearer - min(seen[1, i], 0.0)))
        wanted = min(max(wanted, v - hardest[i] * dt), v + hardest[i] * dt)
        wanted = min(max(wanted, -top[i]), top[i])
        raw[0, i] += 0.5 * (v + wanted) * dt
        raw[1, i] = wanted


@jit
def joint_speed_for(packed: Array, tool: Array, q: Array, twist: Array, damping: float, out: Array) -> float:
    """Write the joint velocities for a tool twist (6,) in base axes by damped least squares into `out` (n,).

    Returns:
        The smallest pivot that was met: near 0 is singular.
    """
    count = q.shape[0]
    T, J, tip = np.empty((4, 4)), np.empty((6, count)), np.empty((3, 4))
    place_tool(packed, tool, q, T, J, tip)
    A = np.empty((6, 7))
    for row in range(6):
        for column in range(6):
            total = 0.0
            for k in range(count):
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
    for i in range(count):
        out[i] = 0.0
        for row in range(6):
            out[i] += J[row, i] * A[row, 6]
    return smallest


@jit
def joint_at_limit(raw: Array, lower: Array, upper: Array, acceleration: float, dt: float) -> int:
    """Return the joint that would pass its limit if all brake evenly now, the leading one at `acceleration`; or -1."""
    lead = 0.0
    for i in range(raw.shape[1]):
        lead = max(lead, abs(raw[1, i]))
    time = lead / acceleration + 2.0 * dt
    for i in range(raw.shape[1]):
        end = raw[0, i] + 0.5 * raw[1, i] * time
        if (raw[1, i] > 0.0 and end > upper[i]) or (raw[1, i] < 0.0 and end < lower[i]):
            return i
    return -1


@jit
def tool_twist(packed: Array, tool: Array, raw: Array, out: Array) -> None:
    """Write the twist of the tool (6,), base axes, for the joints and velocities in `raw`."""
    count = raw.shape[1]
    T, J, tip = np.empty((4, 4)), np.empty((6, count)), np.empty((3, 4))
    place_tool(packed, tool, raw[0], T, J, tip)
    for row in range(6):
        out[row] = 0.0
        for i in range(count):
            out[row] += J[row, i] * raw[1, i]


@jit
def solve_near(packed: Array, T_flange: Array, q: Array) -> bool:
    """Bring the joints q (n,) to where the flange is at T_flange (4, 4), by Newton steps from where they are.

    Returns:
        Whether it is there, to a nanometre; q has moved in any case.
    """
    count = q.shape[0]
    T, J, tip, step = np.empty((4, 4)), np.empty((6, count)), np.empty((3, 4)), np.empty(count)
    tool, R, twist = np.eye(4), np.empty((3, 3)), np.empty(6)
    for _ in range(40):
        place_tool(packed, tool, q, T, J, tip)
        for row in range(3):
            twist[row] = T_flange[row, 3] - T[row, 3]
            for column in range(3):
                R[row, column] = (
                    T_flange[row, 0] * T[column, 0] + T_flange[row, 1] * T[column, 1] + T_flange[row, 2] * T[column, 2]
                )
        rotation_vector(R, twist[3:])
        size = 0.0
        for row in range(6):
            size = max(size, abs(twist[row]))
        if size < 1e-9:
            return True
        joint_speed_for(packed, tool, q, twist, 1e-5 + 0.02 * min(size, 1.0), step)
        most = 0.0
        for i in range(count):
            most = max(most, abs(step[i]))
        scale = min(1.0, 0.3 / max(most, 1e-12))
        for i in range(count):
            q[i] += scale * step[i]
    return False
