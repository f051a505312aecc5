"""The rounds of the search for a time law, each in one go: a grid to search on, and the law that caps give.

Derivation: none of its own; the fastest way (`fastest.py`) on a grid that is divided until no cell takes long where
the speed changes (`grid.py`), then filtered (`smooth.py`).
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .fastest import constraints, fastest
from .grid import divide, on_grid
from .smooth import filtered_law, knot_times, reach_down, widen

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_PARTS = 32


@jit
def _divided(g: Array, parts: Ints, total: int) -> Array:
    """Return the grid with each cell divided evenly into so many parts."""
    out = np.empty(total + 1)
    at = 0
    for i in range(parts.shape[0]):
        width = (g[i + 1] - g[i]) / parts[i]
        for k in range(parts[i]):
            out[at] = g[i] + k * width
            at += 1
    out[at] = g[parts.shape[0]]
    return out


@jit
def lay_grid(
    s: Array, cells: Array, limits: Array, asked: Array, margin: float, smoothly: bool, rounds: int, longest: float
) -> tuple[Array, Array, Array, Array, Array]:
    """Return a grid fine enough for a time law: its places, caps on ṡ, shares of acceleration, and the constraints.

    Args:
        s: (N,) knots.
        cells: (N - 1, 6, n) the path.
        limits: (3, n) velocity, acceleration, jerk.
        asked: (N,) largest ṡ asked for at the knots, linear between.
        margin: Part of the limits that is used.
        smoothly: Whether the caps keep acceleration and jerk too.
        rounds: How often it is divided, at most.
        longest: Seconds that a cell may take where the speed changes.
    """
    n = cells.shape[2]
    g = s.copy()
    laid = 0
    while True:
        N = g.shape[0]
        Q1, Q2, cap, share = np.empty((N, n)), np.empty((N, n)), np.empty(N), np.full(N, margin)
        rows, steep = np.empty((N - 1, 4, n)), np.empty(N - 1)
        on_grid(s, cells, g, limits, asked, margin, smoothly, Q1, Q2, cap)
        constraints(g, Q1, Q2, limits[1], rows, steep)
        if laid == rounds:
            break
        z, t, parts = np.empty(N), np.empty(N), np.empty(N - 1, dtype=np.int64)
        fastest(rows, steep, share, cap * cap, np.zeros(2), z)
        knot_times(g, z, t)
        total = divide(g, z, t, longest, MOST_PARTS, parts)
        if total == N - 1:
            break
        g = _divided(g, parts, total)
        laid += 1
    return g, cap, share, rows, steep


@jit
def smooth_law(
    g: Array, cap: Array, share: Array, rows: Array, steep: Array, box_s: float, reach: float, slot_s: float
) -> tuple[Array, Array, Array, float]:
    """Return breaks and cubics of the law under a limit of jerk that caps and shares give.

    Args:
        g: (N,) the grid.
        cap: (N,) of ṡ.
        share: (N,) of acceleration.
        rows: (N - 1, 4, n) as `constraints` writes them.
        steep: (N - 1,) the same.
        box_s: Width of the filter.
        reach: Part of half that width within which slow places hold back.
        slot_s: Length of a slot, about.

    Returns:
        Breaks, cubics, when the way that was filtered passes the grid (N,), and how much later the filtered one is.
    """
    N = g.shape[0]
    half, ends = 0.5 * box_s, np.zeros(2)
    wide, low, flat, z, t = np.empty(N), np.empty(N), np.empty(N), np.empty(N), np.empty(N)
    reach_down(g, cap, reach * half, wide)
    fastest(rows, steep, share, wide * wide, ends, z)
    knot_times(g, z, t)
    # A very short way has no room for a flat top of the filter's width.
    top = min(half, 0.2 * float(t[N - 1]))
    widen(t, np.sqrt(z), top, 1.0, low)
    widen(t, low, top, -1.0, flat)
    # Beside rest there is no top to flatten, and where knots are far apart "nearby" tells nothing.
    for i in range(N):
        free = min(t[i], t[N - 1] - t[i]) <= top
        free = free or (i > 0 and t[i] - t[i - 1] > 0.5 * top) or (i < N - 1 and t[i + 1] - t[i] > 0.5 * top)
        flat[i] = wide[i] if free else min(flat[i], wide[i])
    fastest(rows, steep, share, flat * flat, ends, z)
    knot_times(g, z, t)
    slots = max(4, math.ceil(float(t[N - 1]) / slot_s))
    dt = float(t[N - 1]) / slots
    box = max(1, math.ceil(box_s / dt))
    size = slots + box + 1
    breaks, law = np.empty(size + 1), np.empty((size, 4))
    filtered_law(g, z, t, slots, box, breaks, law)
    return breaks, law, t, (0.5 * box + 1.0) * dt
