"""Collision shapes round meshes of unknown quality: open, doubled, flat or full of inner parts.

The catalogue's own bodies are fitted tightly by `shapes.fit_collision`. What people import may be
anything, so here the work is bounded: a link is cut at most a few times, where a cut saves
volume, and each piece gets the simplest shape round its convex hull.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import scipy.spatial  # pyright: ignore[reportMissingTypeStubs]
from numpy.typing import NDArray

from openpendant.shapes import Box, CollisionShape, Mesh, box_round, capsule_round, hull_round

Array = NDArray[np.float64]
_spatial = cast(Any, scipy.spatial)

MAX_PIECES = 8
WORTH = 0.15
"""A cut must save this share of the volume of a piece's hull."""
SHARES = (0.2, 0.35, 0.5, 0.65, 0.8)
LOOK = 1500
"""Number of points that measures the volume of a hull well enough to choose a cut."""
LOOSE = 1.15
"""A capsule or box may have this many times the volume of the hull it replaces."""
THIN_M = 0.002
"""Flatter pieces become boxes of this thickness; a hull of them would have no volume."""


def enclose(meshes: Sequence[Mesh]) -> tuple[CollisionShape, ...]:
    """Return at most eight convex shapes that together contain the meshes of one link."""
    triangles = np.concatenate([mesh.vertices[mesh.faces] for mesh in meshes])
    pieces, done = [triangles], list[Array]()
    while pieces:
        piece = pieces.pop()
        halves = None if len(pieces) + len(done) + 2 > MAX_PIECES else _cut(piece)
        if halves is None:
            done.append(piece)
        else:
            pieces.extend(halves)
    return tuple(_shape(piece.reshape(-1, 3)) for piece in done)


def _cut(triangles: Array) -> tuple[Array, Array] | None:
    """Return the two halves of the best cut along an axis, or None where none is worth it."""
    whole = _volume(triangles)
    middle = triangles.mean(axis=1)
    best, chosen = whole * (1.0 - WORTH), None
    for axis in range(3):
        low, high = float(middle[:, axis].min()), float(middle[:, axis].max())
        for share in SHARES:
            below = middle[:, axis] < low + share * (high - low)
            if not 0 < int(below.sum()) < len(below):
                continue
            volume = _volume(triangles[below]) + _volume(triangles[~below])
            if volume < best:
                best, chosen = volume, below
    return None if chosen is None else (triangles[chosen], triangles[~chosen])


def _volume(triangles: Array) -> float:
    """Return about the volume of the hull; zero for what is flat."""
    points = triangles.reshape(-1, 3)
    if len(points) > LOOK:
        points = points[:: len(points) // LOOK + 1]
    if len(points) < 4 or _thickness(points) < THIN_M:
        return 0.0
    return float(_spatial.ConvexHull(points, qhull_options="QJ Pp").volume)


def _shape(points: Array) -> CollisionShape:
    """Return a capsule or box where it is hardly larger than the hull, else the hull with few corners."""
    if len(np.unique(points, axis=0)) < 4 or _thickness(points) < THIN_M:
        return _flat_box(points)
    corners: Array = points[_spatial.ConvexHull(points, qhull_options="QJ Pp").vertices]
    hull, capsule, box = hull_round(corners), capsule_round(corners), box_round(corners)
    largest = LOOSE * float(_spatial.ConvexHull(corners, qhull_options="QJ Pp").volume)
    length = float(np.linalg.norm(np.subtract(capsule.b, capsule.a)))
    if np.pi * capsule.radius**2 * (length + 4.0 / 3.0 * capsule.radius) <= largest:
        return capsule
    return box if 8.0 * float(np.prod(box.half)) <= largest else hull


def _flat_box(points: Array) -> Box:
    """Return the box along the principal axes, at least `THIN_M` thick."""
    axes = _axes(points)
    local = points @ axes.T
    low, high = local.min(axis=0), local.max(axis=0)
    centre = ((low + high) / 2.0) @ axes
    half = np.maximum((high - low) / 2.0, THIN_M / 2.0) + 1e-6
    rows = [_triple(axis) for axis in axes]
    return Box(centre=_triple(centre), half=_triple(half), axes=(rows[0], rows[1], rows[2]))


def _axes(points: Array) -> Array:
    """Return the principal axes of points as rows, right-handed."""
    spread = points - points.mean(axis=0)
    axes = np.linalg.svd(spread.T @ spread)[2]
    return axes if np.linalg.det(axes) > 0.0 else axes * np.array([[1.0], [1.0], [-1.0]])


def _thickness(points: Array) -> float:
    return float(np.ptp(points @ _axes(points).T, axis=0).min())


def _triple(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
