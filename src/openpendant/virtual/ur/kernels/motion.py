"""Where the arm is told to be: laws along paths, velocities and setpoints, all within velocity and acceleration.

A generator advances `raw` (2, 6): joints and velocities, whose accelerations may step. What the drives get is
the mean of the last `SMOOTH` raw joints: velocities and accelerations of a mean stay within the same limits, and
jerk within twice the acceleration over the window.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .arm import frames, rotation_vector, tool_jacobian
from .compile import jit

__all__ = [
    "DT",
    "SMOOTH",
    "approach_velocity",
    "follow_setpoint",
    "joint_at_limit",
    "joint_speed_for",
    "lay_law",
    "locate",
    "ride",
    "smooth",
    "solve_near",
    "tool_twist",
]

Array = NDArray[np.float64]

DT = 0.002
SMOOTH = 8
ROWS = 8
"""Rows of the law: six joints, way of the tool's point, turn of the tool."""


@jit
def smooth(ring: Array, at: int, raw: Array, out: Array) -> None:
    """Put raw[0] into the ring (SMOOTH, 6) and write the mean into `out` (6,)."""
    for i in range(6):
        ring[at, i] = raw[0, i]
        # A mean about one of its values keeps all digits at rest.
        first = ring[0, i]
        total = 0.0
        for k in range(1, SMOOTH):
            total += ring[k, i] - first
        out[i] = first + total / SMOOTH


@jit
def _cell(knots: Array, cells: Array, s: float, k: int, q: Array, d1: Array, d2: Array) -> int:
    """Write joints and their derivatives by s at place s; k: the cell where the search begins."""
    last = cells.shape[0] - 1
    while k < last and s > knots[k + 1]:
        k += 1
    while k > 0 and s < knots[k]:
        k -= 1
    x = s - knots[k]
    for i in range(6):
        c0, c1, c2 = cells[k, 0, i], cells[k, 1, i], cells[k, 2, i]
        c3, c4, c5 = cells[k, 3, i], cells[k, 4, i], cells[k, 5, i]
        q[i] = c0 + x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))))
        d1[i] = c1 + x * (2.0 * c2 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))
        d2[i] = 2.0 * c2 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))
    return k


@jit
def lay_law(
    knots: Array,
    cells: Array,
    owner: NDArray[np.int64],
    asked: Array,
    dh: Array,
    tool: Array,
    grid: Array,
    rates: Array,
) -> None:
    """Write for each place of `grid` (N,) what limits the law there into `rates` (N, 3 + 2 * ROWS).

    Args:
        knots: (C + 1,) of the path.
        cells: (C, 6, 6) joints as quintics.
        owner: (C,) the move of each cell.
        asked: (moves, 2 * ROWS): largest velocity, then acceleration, of each row.
        dh: (6, 4).
        tool: (3, 4).
        grid: (N,) places s, rising from 0 to the end; several in each cell.
        rates: column 0: braking envelope ṡ² to rest at the end; 1: the move; then each row's derivative by s
            (ROWS), then its second derivative (ROWS); last: whether braking is what limits it there.
    """
    N = grid.shape[0]
    q, d1, d2 = np.empty(6), np.empty(6), np.empty(6)
    T, J, tip = np.empty((7, 3, 4)), np.empty((6, 6)), np.empty((3, 4))
    k = 0
    for n in range(N):
        k = _cell(knots, cells, grid[n], k, q, d1, d2)
        rates[n, 1] = float(owner[k])
        frames(dh, q, T)
        tool_jacobian(T, tool, J, tip)
        way, turn = 0.0, 0.0
        for row in range(6):
            value = 0.0
            for i in range(6):
                value += J[row, i] * d1[i]
            if row < 3:
                way += value * value
            else:
                turn += value * value
        for i in range(6):
            rates[n, 2 + i] = d1[i]
            rates[n, 2 + ROWS + i] = d2[i]
        rates[n, 8] = math.sqrt(way)
        rates[n, 9] = math.sqrt(turn)
    for n in range(N):
        low, high = max(n - 1, 0), min(n + 1, N - 1)
        for row in (6, 7):
            rates[n, 2 + ROWS + row] = (rates[high, 2 + row] - rates[low, 2 + row]) / (grid[high] - grid[low])
    # Largest ṡ² at each place by itself, then so that braking is always possible.
    for n in range(N):
        move = int(rates[n, 1])
        cap = 1e9
        for row in range(ROWS):
            d = abs(rates[n, 2 + row])
            if d > 1e-12:
                cap = min(cap, (asked[move, row] / d) ** 2)
            bend = abs(rates[n, 2 + ROWS + row])
            if bend > 1e-9:
                cap = min(cap, 0.9 * asked[move, ROWS + row] / bend)
        rates[n, 0] = cap
    last = 2 + 2 * ROWS
    rates[N - 1, 0], rates[N - 1, last] = 0.0, 1.0
    for n in range(N - 2, -1, -1):
        z = rates[n + 1, 0]
        h = grid[n + 1] - grid[n]
        brake = z + 2.0 * h * _bound(rates[n + 1], asked[int(rates[n + 1, 1])], z, -1.0)
        rates[n, last] = 1.0 if brake < rates[n, 0] else 0.0
        rates[n, 0] = min(rates[n, 0], brake)


@jit
def _bound(at: Array, asked: Array, z: float, sign: float) -> float:
    """Return how large sign · s̈ may be at ṡ² = z so that no row exceeds its acceleration; never below a little."""
    best = 1e9
    for row in range(ROWS):
        d = at[2 + row] * sign
        bend = at[2 + ROWS + row] * z
        limit = asked[ROWS + row]
        if d > 1e-12:
            best = min(best, (limit - bend) / d)
        elif d < -1e-12:
            best = min(best, (limit + bend) / -d)
    return max(best, 1e-3)


@jit
def _find(grid: Array, s: float, n: int) -> int:
    """Return the interval of the grid that s lies in; n: where the search begins."""
    last = grid.shape[0] - 2
    n = min(max(n, 0), last)
    while n < last and s >= grid[n + 1]:
        n += 1
    while n > 0 and s < grid[n]:
        n -= 1
    return n


@jit
def _envelope(grid: Array, rates: Array, s: float, n: int) -> float:
    n = _find(grid, s, n)
    x = (s - grid[n]) / (grid[n + 1] - grid[n])
    return float(rates[n, 0] + (rates[n + 1, 0] - rates[n, 0]) * min(max(x, 0.0), 1.0))


@jit
def _room(rates: Array, asked: Array, n: int, z: float, sign: float) -> float:
    """Return how large sign · s̈ may be in an interval of the grid: at both of its ends."""
    here = _bound(rates[n], asked[int(rates[n, 1])], z, sign)
    there = _bound(rates[n + 1], asked[int(rates[n + 1, 1])], z, sign)
    return min(here, there)


@jit
def ride(
    knots: Array,
    cells: Array,
    asked: Array,
    grid: Array,
    rates: Array,
    state: Array,
    factor: float,
    stop: float,
    raw: Array,
) -> float:
    """Go on along a path for one tick; write joints and velocities into `raw`.

    Args:
        knots: Of the path.
        cells: Of the path.
        asked: Of `lay_law`.
        grid: Of `lay_law`.
        rates: Of `lay_law`.
        state: (4,): s, ṡ, index of the cell, index in the grid.
        factor: Part of the speed that is wanted now (speed slider).
        stop: Above 0: come to rest on the path, with so many times the deceleration of the moves.
        raw: (2, 6).

    Returns:
        What is left of s.
    """
    s, rate = state[0], state[1]
    end = grid[grid.shape[0] - 1]
    n = _find(grid, s, int(state[3]))
    z = rate * rate
    if stop > 0.0:
        wanted = max(0.0, rate - stop * _room(rates, asked, n, z, -1.0) * DT)
    else:
        # ṡ at the end of the tick must fit the envelope at the place that it leads to.
        top = math.sqrt(_envelope(grid, rates, min(s + rate * DT, end), n))
        for _ in range(3):
            top = math.sqrt(_envelope(grid, rates, min(s + 0.5 * (rate + top) * DT, end), n))
        wanted = min(factor * top, rate + _room(rates, asked, n, z, 1.0) * DT)
        # The slider may be pulled down at any time: brake for it not much harder than the moves brake.
        wanted = max(wanted, rate - 1.5 * _room(rates, asked, n, z, -1.0) * DT, 0.0)
        wanted = min(wanted, top)
    place = s + 0.5 * (rate + wanted) * DT
    brake = _bound(rates[rates.shape[0] - 1], asked[int(rates[rates.shape[0] - 1, 1])], 0.0, -1.0)
    if stop <= 0.0 and end - place <= 0.5 * brake * DT * DT:
        place, wanted = end, 0.0
    place = min(place, end)
    q, d1, d2 = np.empty(6), np.empty(6), np.empty(6)
    k = _cell(knots, cells, float(place), int(state[2]), q, d1, d2)
    for i in range(6):
        raw[1, i] = d1[i] * wanted
        raw[0, i] = q[i]
    state[0], state[1], state[2], state[3] = place, wanted, float(k), float(n)
    return float(end - place)


@jit
def locate(knots: Array, cells: Array, q_now: Array, d_now: Array, state: Array) -> float:
    """Find the place of a path that is nearest to joints; write s, ṡ (so that velocities agree) and cell into `state`.

    Returns:
        How far the path is from the joints there (largest joint, radians).
    """
    q, d1, d2 = np.empty(6), np.empty(6), np.empty(6)
    best, where = 1e30, 0.0
    for k in range(cells.shape[0]):
        for part in range(8):
            s = knots[k] + (knots[k + 1] - knots[k]) * part / 8.0
            _cell(knots, cells, s, k, q, d1, d2)
            gap = 0.0
            for i in range(6):
                gap += (q[i] - q_now[i]) ** 2
            if gap < best:
                best, where = gap, s
    k = 0
    for _ in range(12):
        k = _cell(knots, cells, where, k, q, d1, d2)
        top, bottom = 0.0, 1e-30
        for i in range(6):
            top += (q_now[i] - q[i]) * d1[i]
            bottom += d1[i] * d1[i]
        where = min(max(float(where + top / bottom), float(knots[0])), float(knots[knots.shape[0] - 1]))
    k = _cell(knots, cells, where, k, q, d1, d2)
    top, bottom, gap = 0.0, 1e-30, 0.0
    for i in range(6):
        top += d_now[i] * d1[i]
        bottom += d1[i] * d1[i]
        gap = max(gap, abs(float(q[i] - q_now[i])))
    state[0], state[1], state[2] = where, max(0.0, top / bottom), float(k)
    return gap


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
