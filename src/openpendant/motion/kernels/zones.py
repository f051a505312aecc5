"""Corners in joint space: how far a zone reaches, and the curve through it.

Derivation: joints between known places are Lagrange's polynomial through the four nearest; derivatives on a leg are
the central differences over five points, exact for polynomials up to the fourth degree. The curve through a zone is
the one quintic with given place, slope and curvature at both ends; its six coefficients solve those six equations.
The peak between three points is that of their parabola.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .compile import jit
from .follow import rough_cells

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


@jit
def between_known(w: Array, Q: Array, places: Array, out: Array) -> None:
    """Write joints at places between known ones, by cubics through the four nearest.

    Args:
        w: (N,) rising, four or more.
        Q: (N, n) known at w.
        places: (M,).
        out: (M, n) written.
    """
    N, n = Q.shape
    share = np.empty(4)
    for m in range(places.shape[0]):
        place = places[m]
        low, high = 0, N
        while low < high:
            middle = (low + high) // 2
            if w[middle] <= place:
                low = middle + 1
            else:
                high = middle
        first = min(max(low - 2, 0), N - 4)
        for i in range(4):
            share[i] = 1.0
            for k in range(4):
                if k != i:
                    share[i] *= (place - w[first + k]) / (w[first + i] - w[first + k])
        for j in range(n):
            total = 0.0
            for i in range(4):
                total += share[i] * Q[first + i, j]
            out[m, j] = total


@jit
def _part(T: Array, i: int, radius: float, turn: float) -> float:
    """Return how far pose i is from pose 0, as parts of a zone's radius and turn, the larger."""
    way, chord = 0.0, 0.0
    for a in range(3):
        d = T[i, a, 3] - T[0, a, 3]
        way += d * d
        for b in range(3):
            d = T[i, a, b] - T[0, a, b]
            chord += d * d
    angle = 2.0 * math.asin(min(math.sqrt(chord / 8.0), 1.0))
    return max(math.sqrt(way) / radius, angle / turn)


@jit
def largest_part(T: Array, radius: float, turn: float) -> float:
    """Return how far poses T (N, 4, 4) go from the first of them, as parts of a zone's radius and turn."""
    most = 0.0
    for i in range(1, T.shape[0]):
        most = max(most, _part(T, i, radius, turn))
    return most


@jit
def reach_in_zone(T: Array, Q: Array, weight: Array, radius: float, turn: float) -> float:
    """Return how far, in weighted joint space, a row of joints stays inside the zone round the first of them.

    Args:
        T: (N, 4, 4) poses of the tool, from the corner on.
        Q: (N, n) their joints.
        weight: (n,) makes joints comparable.
        radius: Of the zone, metres.
        turn: Of the zone, radians.
    """
    N, n = Q.shape
    part, away = 0.0, 0.0
    for i in range(1, N):
        last_part, last_away = part, away
        away = 0.0
        for j in range(n):
            d = (Q[i, j] - Q[0, j]) * weight[j]
            away += d * d
        away = math.sqrt(away)
        part = _part(T, i, radius, turn)
        if part > 1.0:
            return last_away + (1.0 - last_part) / (part - last_part) * (away - last_away)
    return away


@jit
def offset_at(w: Array, Q: Array, weight: Array, a: float, at_end: bool) -> float:
    """Return how far from an end of a leg, in its measure, the joints are at a weighted distance `a` from that end.

    Args:
        w: (N,) rising.
        Q: (N, n) joints at w.
        weight: (n,) makes joints comparable.
        a: Where the leg does not go so far, its other end is meant.
        at_end: Whether the end is meant, or the start.
    """
    N, n = Q.shape
    corner = N - 1 if at_end else 0
    away, offset = 0.0, 0.0
    for step in range(1, N):
        i = N - 1 - step if at_end else step
        total = 0.0
        for j in range(n):
            d = (Q[i, j] - Q[corner, j]) * weight[j]
            total += d * d
        farther, place = max(away, math.sqrt(total)), abs(w[i] - w[corner])
        if farther > a:
            return offset + (place - offset) * (a - away) / (farther - away)
        away, offset = farther, place
    return offset


@jit
def state_on_leg(Q: Array, d: float, weight: Array, out: Array) -> None:
    """Write q and its first two derivatives by weighted joint distance, from five rows of joints.

    Args:
        Q: (5, n) joints at steps of `d` of the leg's measure.
        d: The step.
        weight: (n,) makes joints comparable.
        out: (3, n) written.
    """
    n = Q.shape[1]
    rate2, across = 0.0, 0.0
    for j in range(n):
        q1 = (Q[0, j] - 8.0 * Q[1, j] + 8.0 * Q[3, j] - Q[4, j]) / (12.0 * d)
        q2 = (16.0 * (Q[1, j] + Q[3, j]) - Q[0, j] - 30.0 * Q[2, j] - Q[4, j]) / (12.0 * d * d)
        out[0, j], out[1, j], out[2, j] = Q[2, j], q1, q2
        rate2 += (q1 * weight[j]) ** 2
        across += q1 * weight[j] * q2 * weight[j]
    rate = math.sqrt(rate2)
    for j in range(n):
        along = out[1, j] / rate
        out[2, j] = (out[2, j] - along * across / rate) / rate2
        out[1, j] = along


@jit
def bend_through(
    start: Array, end: Array, length: float, nodes: Array, weight: Array, longest: float, sharpest: float
) -> tuple[Array, Array]:
    """Return places x from 0 to 1 and joints there, of the quintic between two states, divided until it is smooth.

    Args:
        start: (3, n) joints and their first two derivatives by w, at w = 0.
        end: The same at w = length.
        length: Of the parameter w.
        nodes: (N,) the places to begin with.
        weight: (n,) makes joints comparable.
        longest: Largest weighted step between two places.
        sharpest: Largest bend between two steps, radians.
    """
    n = start.shape[1]
    c = np.empty((6, n))
    for j in range(n):
        v0, v1 = start[1, j] * length, end[1, j] * length
        a0, a1 = start[2, j] * length * length, end[2, j] * length * length
        d = end[0, j] - start[0, j]
        c[0, j], c[1, j], c[2, j] = start[0, j], v0, 0.5 * a0
        c[3, j] = 10.0 * d - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1
        c[4, j] = -15.0 * d + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1
        c[5, j] = 6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1)
    x = nodes.copy()
    Q = _on_quintic(c, x)
    for _ in range(12):
        parts = np.empty(x.shape[0] - 1, dtype=np.int64)
        if rough_cells(Q, weight, longest, sharpest, parts) == 0:
            break
        finer = np.empty(int(parts.sum()) + 1)
        at = 0
        for i in range(parts.shape[0]):
            for k in range(parts[i]):
                finer[at] = x[i] + (x[i + 1] - x[i]) * k / parts[i]
                at += 1
        finer[at] = x[x.shape[0] - 1]
        x = finer
        Q = _on_quintic(c, x)
    return x, Q


@jit
def _on_quintic(c: Array, x: Array) -> Array:
    out = np.empty((x.shape[0], c.shape[1]))
    for i in range(x.shape[0]):
        for j in range(c.shape[1]):
            value = c[5, j]
            for power in range(4, -1, -1):
                value = value * x[i] + c[power, j]
            out[i, j] = value
    return out


@jit
def reverses(points: Array, weight: Array, cosine: float) -> bool:
    """Tell whether a path through points (N, n) turns from one step to the next by more than its cosine allows.

    Steps of less than a thousandth of the longest do not count.
    """
    N, n = points.shape
    lengths = np.empty(N - 1)
    longest = 0.0
    for i in range(N - 1):
        total = 0.0
        for j in range(n):
            d = (points[i + 1, j] - points[i, j]) * weight[j]
            total += d * d
        lengths[i] = math.sqrt(total)
        longest = max(longest, lengths[i])
    before = -1
    for i in range(N - 1):
        if lengths[i] <= 1e-3 * longest:
            continue
        if before >= 0:
            dot = 0.0
            for j in range(n):
                dot += (points[i + 1, j] - points[i, j]) * (points[before + 1, j] - points[before, j]) * weight[j] ** 2
            if dot < cosine * lengths[i] * lengths[before]:
                return True
        before = i
    return False


@jit
def turns_past(w: Array, Q: Array, low: Array, high: Array, over: float) -> tuple[int, int]:
    """Return the first row and joint of Q (N, n) at w (N,) beyond a limit by more than `over`, -1 where none is.

    A joint that turns between two points may be beyond its limit there and inside at both: the parabola through
    three points counts.
    """
    N, n = Q.shape
    for i in range(N):
        for j in range(n):
            least, most = low[j] - over, high[j] + over
            q = Q[i, j]
            if q < least or q > most:
                return i, j
            if 0 < i < N - 1:
                h0, h1 = w[i] - w[i - 1], w[i + 1] - w[i]
                r0, r1 = (q - Q[i - 1, j]) / h0, (Q[i + 1, j] - q) / h1
                if r0 * r1 < 0.0:
                    slope = (r0 * h1 + r1 * h0) / (h1 + h0)
                    peak = q - 0.25 * slope * slope * (h1 + h0) / (r1 - r0)
                    if peak < least or peak > most:
                        return i, j
    return -1, -1
