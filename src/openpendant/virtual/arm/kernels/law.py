"""Going along planned paths: how fast a place may be passed, and where the arm is a tick later.

What the drives get is the mean of the last joints (`smooth`): velocities and accelerations of a mean stay within the
same limits, and jerk within twice the acceleration over the window.

Source: the largest ṡ² at each place, then backwards so that braking is always possible: J. E. Bobrow, S. Dubowsky and
J. S. Gibson, Time-optimal control of robotic manipulators along specified paths, Int. J. Robotics Research 4(3),
1985.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .chain import place_tool
from .compile import jit

Array = NDArray[np.float64]

TOOL_ROWS = 2
"""Rows of the law after those of the joints: way of the tool's point, turn of the tool."""


@jit
def smooth(ring: Array, at: int, raw: Array, out: Array) -> None:
    """Put raw[0] into the ring (N, n) and write the mean of its rows into `out` (n,)."""
    for i in range(ring.shape[1]):
        ring[at, i] = raw[0, i]
        # A mean about one of its values keeps all digits at rest.
        first = ring[0, i]
        total = 0.0
        for k in range(1, ring.shape[0]):
            total += ring[k, i] - first
        out[i] = first + total / ring.shape[0]


@jit
def _cell(knots: Array, cells: Array, s: float, k: int, q: Array, d1: Array, d2: Array) -> int:
    """Write joints and their derivatives by s at place s; k: the cell where the search begins."""
    last = cells.shape[0] - 1
    while k < last and s > knots[k + 1]:
        k += 1
    while k > 0 and s < knots[k]:
        k -= 1
    x = s - knots[k]
    for i in range(q.shape[0]):
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
    stops: Array,
    asked: Array,
    packed: Array,
    tool: Array,
    grid: Array,
    rates: Array,
) -> None:
    """Write for each place of `grid` (N,) what limits the law there into `rates` (N, 3 + 2 * rows).

    Args:
        knots: (C + 1,) of the path.
        cells: (C, 6, n) joints as quintics.
        owner: (C,) the move of each cell.
        stops: (S,) places where the arm must rest: corners without a curve, and the end.
        asked: (moves, 2 * rows): largest velocity, then acceleration, of each row: the joints, the tool's way and turn.
        packed: The chain, as `Arm.packed`.
        tool: (4, 4) on the flange.
        grid: (N,) places s, rising from 0 to the end; several in each cell.
        rates: column 0: braking envelope ṡ² to rest at the end; 1: the move; then each row's derivative by s
            (rows), then its second derivative (rows); last: whether braking is what limits it there.
    """
    N, count = grid.shape[0], cells.shape[2]
    rows = count + TOOL_ROWS
    q, d1, d2 = np.empty(count), np.empty(count), np.empty(count)
    T, J, tip = np.empty((4, 4)), np.empty((6, count)), np.empty((3, 4))
    k = 0
    for n in range(N):
        k = _cell(knots, cells, grid[n], k, q, d1, d2)
        rates[n, 1] = float(owner[k])
        place_tool(packed, tool, q, T, J, tip)
        way, turn = 0.0, 0.0
        for row in range(6):
            value = 0.0
            for i in range(count):
                value += J[row, i] * d1[i]
            if row < 3:
                way += value * value
            else:
                turn += value * value
        for i in range(count):
            rates[n, 2 + i] = d1[i]
            rates[n, 2 + rows + i] = d2[i]
        rates[n, 2 + count] = math.sqrt(way)
        rates[n, 3 + count] = math.sqrt(turn)
    for n in range(N):
        low, high = max(n - 1, 0), min(n + 1, N - 1)
        for row in (count, count + 1):
            rates[n, 2 + rows + row] = (rates[high, 2 + row] - rates[low, 2 + row]) / (grid[high] - grid[low])
    # Largest ṡ² at each place by itself, then so that braking is always possible.
    for n in range(N):
        move = int(rates[n, 1])
        cap = 1e9
        for row in range(rows):
            d = abs(rates[n, 2 + row])
            if d > 1e-12:
                cap = min(cap, (asked[move, row] / d) ** 2)
            bend = abs(rates[n, 2 + rows + row])
            if bend > 1e-9:
                cap = min(cap, 0.9 * asked[move, rows + row] / bend)
        rates[n, 0] = cap
    last = 2 + 2 * rows
    at = 0
    for n in range(N):
        if at < stops.shape[0] and grid[n] >= stops[at]:
            rates[n, 0] = 0.0
            at += 1
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
    rows = asked.shape[0] // 2
    for row in range(rows):
        d = at[2 + row] * sign
        bend = at[2 + rows + row] * z
        limit = asked[rows + row]
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
    stops: Array,
    asked: Array,
    grid: Array,
    rates: Array,
    state: Array,
    factor: float,
    stop: float,
    dt: float,
    raw: Array,
) -> float:
    """Go on along a path for one tick; write joints and velocities into `raw`.

    Args:
        knots: Of the path.
        cells: Of the path.
        stops: Of `lay_law`.
        asked: Of `lay_law`.
        grid: Of `lay_law`.
        rates: Of `lay_law`.
        state: (5,): s, ṡ, index of the cell, index in the grid, index of the next stop.
        factor: Part of the speed that is wanted now (speed slider).
        stop: Above 0: come to rest on the path, with so many times the deceleration of the moves.
        dt: Seconds of a tick.
        raw: (2, n).

    Returns:
        What is left of s.
    """
    s, rate = state[0], state[1]
    coming = int(state[4])
    if s >= stops[coming] and coming < stops.shape[0] - 1:
        coming += 1
    end = stops[coming]
    n = _find(grid, s, int(state[3]))
    z = rate * rate
    if stop > 0.0:
        wanted = max(0.0, rate - stop * _room(rates, asked, n, z, -1.0) * dt)
    else:
        # ṡ at the end of the tick must fit the envelope at the place that it leads to; from rest, look a little ahead.
        push = _room(rates, asked, n, z, 1.0)
        ahead = max(rate * dt, 0.5 * min(push, 1e3) * dt * dt)
        top = math.sqrt(_envelope(grid, rates, min(s + ahead, end), n))
        for _ in range(3):
            ahead = max(0.5 * (rate + top), 0.25 * min(push, 1e3) * dt) * dt
            top = math.sqrt(_envelope(grid, rates, min(s + ahead, end), n))
        wanted = min(factor * top, rate + push * dt)
        # The slider may be pulled down, or a tight corner added, at any time: brake not much harder than moves do.
        wanted = max(wanted, rate - 1.8 * _room(rates, asked, n, z, -1.0) * dt, 0.0)
    place = s + 0.5 * (rate + wanted) * dt
    last = _find(grid, end, n)
    brake = _bound(rates[last], asked[int(rates[last, 1])], 0.0, -1.0)
    if stop <= 0.0 and end - place <= 0.5 * brake * dt * dt:
        place, wanted = end, 0.0
    if place > end:
        place, wanted = end, 0.0
    count = cells.shape[2]
    q, d1, d2 = np.empty(count), np.empty(count), np.empty(count)
    k = _cell(knots, cells, float(place), int(state[2]), q, d1, d2)
    for i in range(count):
        raw[1, i] = d1[i] * wanted
        raw[0, i] = q[i]
    state[0], state[1], state[2], state[3], state[4] = place, wanted, float(k), float(n), float(coming)
    return float(stops[stops.shape[0] - 1] - place)


@jit
def ends_soon(
    stops: Array,
    asked: Array,
    grid: Array,
    rates: Array,
    state: Array,
    factor: float,
    corner: float,
    ahead_s: float,
) -> bool:
    """Return whether, within `ahead_s`, the arm will brake for the end of the path or reach the place `corner`."""
    s, rate, count = state[0], state[1], stops.shape[0]
    if count > 1 and s < stops[count - 2]:
        return False
    n = _find(grid, s, int(state[3]))
    faster = rate + _room(rates, asked, n, rate * rate, 1.0) * ahead_s
    place = s + 0.5 * (rate + faster) * ahead_s
    # A following move may turn back: the arm must still be able to come to rest where the corner begins.
    if place + 0.6 * faster * faster / _room(rates, asked, n, rate * rate, -1.0) >= corner:
        return True
    ahead = _find(grid, min(place, stops[count - 1]), n) + 1
    return rates[ahead, asked.shape[1] + 2] > 0.0 and factor * math.sqrt(rates[ahead, 0]) <= faster


@jit
def locate(knots: Array, cells: Array, first: int, last: int, q_now: Array, d_now: Array, state: Array) -> float:
    """Find the place of a path that is nearest to joints, in cells first … last - 1; write s, ṡ, cell into `state`.

    ṡ is such that velocities agree. Places where the path goes the other way do not count.

    Returns:
        How far the path is from the joints there (largest joint, radians).
    """
    count = cells.shape[2]
    q, d1, d2 = np.empty(count), np.empty(count), np.empty(count)
    best, where = 1e30, 0.0
    for k in range(first, last):
        for part in range(9):
            s = knots[k] + (knots[k + 1] - knots[k]) * part / 8.0
            _cell(knots, cells, s, k, q, d1, d2)
            gap, along = 0.0, 0.0
            for i in range(count):
                gap += (q[i] - q_now[i]) ** 2
                along += d1[i] * d_now[i]
            if gap < best and along >= 0.0:
                best, where = gap, s
    k = 0
    for _ in range(12):
        k = _cell(knots, cells, where, k, q, d1, d2)
        top, bottom = 0.0, 1e-30
        for i in range(count):
            top += (q_now[i] - q[i]) * d1[i]
            bottom += d1[i] * d1[i]
        where = min(max(float(where + top / bottom), float(knots[first])), float(knots[last]))
    k = _cell(knots, cells, where, k, q, d1, d2)
    top, bottom, gap = 0.0, 1e-30, 0.0
    for i in range(count):
        top += d_now[i] * d1[i]
        bottom += d1[i] * d1[i]
        gap = max(gap, abs(float(q[i] - q_now[i])))
    state[0], state[1], state[2] = where, max(0.0, top / bottom), float(k)
    return gap
