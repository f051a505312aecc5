"""Outlines: closed polygons in the plane, and the signed distance to them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .foreign import ConvexBody
from .solid import Array

Outline = NDArray[np.float64]
"""Corners (N, 2) of a closed polygon, counter-clockwise, metres."""


def belt(circles: Sequence[tuple[float, float, float]], segments: int = 48) -> Outline:
    """Return the outline of a belt laid round circles (x, y, radius)."""
    angle = np.linspace(0.0, 2 * np.pi, segments, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = np.concatenate([np.array([x, y]) + r * ring for x, y, r in circles])
    return points[ConvexBody(points).corners]


def rounded(corners: Sequence[tuple[float, float, float]], steps: int = 6) -> Outline:
    """Return a polygon whose corners (x, y, radius) are replaced by arcs of that radius.

    A radius too large for its corner is cut down to what the neighbouring edges allow.
    """
    points = np.array([(x, y) for x, y, _ in corners])
    if _area(points) < 0:
        return rounded(list(corners)[::-1], steps)
    out: list[NDArray[np.float64]] = []
    for i, (_, _, radius) in enumerate(corners):
        here = points[i]
        before, after = points[i - 1] - here, points[(i + 1) % len(points)] - here
        la, lb = float(np.linalg.norm(before)), float(np.linalg.norm(after))
        u, v = before / la, after / lb
        half = 0.5 * np.arccos(np.clip(float(u @ v), -1.0, 1.0))
        if radius <= 0.0 or half > np.pi / 2 - 1e-3:
            out.append(here[None])
            continue
        reach = min(radius / np.tan(half), 0.499 * la, 0.499 * lb)
        r = reach * np.tan(half)
        centre = here + (u + v) / np.linalg.norm(u + v) * r / np.sin(half)
        start, end = here + reach * u - centre, here + reach * v - centre
        a0 = np.arctan2(start[1], start[0])
        sweep = (np.arctan2(end[1], end[0]) - a0 + np.pi) % (2 * np.pi) - np.pi
        a = a0 + sweep * np.linspace(0.0, 1.0, steps + 1)
        out.append(centre + r * np.stack([np.cos(a), np.sin(a)], axis=1))
    return np.concatenate(out)


def polygon_distance(outline: Outline, x: Array, y: Array) -> Array:
    """Return the signed distance of points to a polygon, negative inside."""
    kind = x.dtype.type
    best = np.full(x.shape, np.inf, dtype=x.dtype)
    odd = np.zeros(x.shape, dtype=np.bool_)
    for (ax, ay), (bx, by) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        ex, ey = float(bx - ax), float(by - ay)
        square = ex * ex + ey * ey
        if square < 1e-18:
            continue
        wx, wy = x - kind(ax), y - kind(ay)
        t = np.clip((wx * kind(ex) + wy * kind(ey)) * kind(1.0 / square), kind(0.0), kind(1.0))
        dx, dy = wx - t * kind(ex), wy - t * kind(ey)
        np.minimum(best, dx * dx + dy * dy, out=best)
        if abs(ey) > 0.0:
            crosses = (wy >= 0) != (y >= kind(by))
            odd ^= crosses & (wx < wy * kind(ex / ey))
    distance = np.sqrt(best)
    return np.where(odd, -distance, distance)


def _area(points: NDArray[np.float64]) -> float:
    x, y = points.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
