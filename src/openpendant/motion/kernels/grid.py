"""The grid of the time law: the path's knots, divided where the speed changes.

Derivation: ṡ ≤ limit / |q′| keeps each joint's velocity. Where ṡ is constant, q̈ = q″ ṡ² and q⃛ = q‴ ṡ³, so a square
root and a cube root cap it for acceleration and jerk. The same powers tell by how much a cap must fall where a law
exceeds a limit.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .spline import derivatives

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def divide(g: Array, z: Array, t: Array, longest: float, parts: int, out: Ints) -> int:
    """Write into how many parts each cell of the grid is to be divided, return the sum.

    A cell is divided when it takes longer than `longest` seconds and ṡ changes in it or beside it.
    """
    C = g.shape[0] - 1
    total = 0
    for i in range(C):
        out[i] = 1
        dt = t[i + 1] - t[i]
        if dt > longest:
            changes = False
            for k in range(max(0, i - 1), min(C, i + 2)):
                if abs(z[k + 1] - z[k]) > 1e-3 * max(z[k], z[k + 1]):
                    changes = True
            if changes:
                out[i] = min(parts, int(dt / longest) + 1)
        total += out[i]
    return total


@jit
def on_grid(
    s: Array,
    cells: Array,
    g: Array,
    limits: Array,
    asked: Array,
    margin: float,
    smoothly: bool,
    Q1: Array,
    Q2: Array,
    cap: Array,
) -> None:
    """Write derivatives of the path at the grid, and the largest ṡ there.

    Args:
        s: (N,) knots.
        cells: (N - 1, 6, n) the path.
        g: (G,) the grid; it has every knot.
        limits: (3, n) velocity, acceleration, jerk.
        asked: (N,) largest ṡ asked for at the knots, linear between.
        margin: Part of the limits that is used.
        smoothly: Whether the caps keep acceleration and jerk too, at constant ṡ.
        Q1: (G, n) written.
        Q2: (G, n) written.
        cap: (G,) written.
    """
    C, n = cells.shape[0], cells.shape[2]
    k = 0
    last = g.shape[0] - 1
    parts = 1.0 / limits
    step = math.inf
    for i in range(last + 1):
        while k < C - 1 and s[k + 1] <= g[i]:
            k += 1
        x = g[i] - s[k]
        rate, bend, twist = 1e-12, 1e-24, 1e-36
        for j in range(n):
            Q1[i, j], Q2[i, j], q3 = derivatives(cells, k, x, j)
            rate = max(rate, abs(Q1[i, j]) * parts[0, j])
            bend = max(bend, abs(Q2[i, j]) * parts[1, j])
            if smoothly and i < last:
                middle = derivatives(cells, k, 0.5 * (g[i] + g[i + 1]) - s[k], j)[2]
                end = derivatives(cells, k, g[i + 1] - s[k], j)[2]
                twist = max(twist, max(abs(q3), abs(middle), abs(end)) * parts[2, j])
        share = x / (s[k + 1] - s[k])
        best = min(1.0 / rate, asked[k] + share * (asked[k + 1] - asked[k]))
        if smoothly:
            best = min(best, math.sqrt(1.0 / bend))
            before, step = step, (1.0 / twist) ** (1.0 / 3.0) if i < last else math.inf
            best = min(best, before, step)
        cap[i] = margin * best


@jit
def lower(
    t: Array,
    breaks: Array,
    found: Array,
    delay: float,
    half: float,
    tight: float,
    eager: float,
    cap: Array,
    share: Array,
) -> None:
    """Lower caps and shares at the knots near slots of the filtered law that exceed a limit.

    Args:
        t: (N,) when the unfiltered way passes the knots.
        breaks: (M + 1,) slots of the filtered law.
        found: (M, 4) ratios of its slots.
        delay: How much later the filtered law is.
        half: Half of the filter's width.
        tight: Ratios are brought to this, a little under 1.
        eager: Above 1 lowers more than the ratio asks for, so that the search ends sooner.
        cap: (N,) of ṡ, lowered.
        share: (N,) of acceleration, lowered.
    """
    N = t.shape[0]
    speed, push = np.ones(N), np.ones(N)
    first = 0
    for i in range(found.shape[0]):
        rv, ra, rj, bend = found[i, 0], found[i, 1], found[i, 2], found[i, 3]
        if rv <= 1.0 and ra <= 1.0 and rj <= 1.0:
            continue
        f, a = 1.0, 1.0
        if rv > 1.0:
            f = min(f, tight / rv)
        if ra > 1.0:
            f = min(f, math.sqrt(tight / ra))
            a = min(a, tight / ra)
        if rj > 1.0:
            f = min(f, (tight / rj) ** (eager * bend / 3.0))
            a = min(a, (tight / rj) ** (eager * (1.0 - bend)))
        start, end = breaks[i] - delay - half, breaks[i + 1] - delay + half
        while first < N and t[first] < start:
            first += 1
        k = max(first - 1, 0)
        while k < N and (k == 0 or t[k - 1] <= end):
            speed[k] = min(speed[k], f)
            push[k] = min(push[k], a)
            k += 1
    for k in range(N):
        cap[k] *= speed[k]
        share[k] *= push[k]
