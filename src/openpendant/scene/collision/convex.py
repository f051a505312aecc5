"""Cut solids into convex parts, by planes, until their hulls hardly hold more than the solid itself."""

import heapq
import itertools
from typing import Any, cast

import manifold3d as _manifold3d  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
from numpy.typing import NDArray

from openpendant.shapes import CollisionShape, Hull, box_round, hull_round

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
manifold3d = cast(Any, _manifold3d)

MOST_PARTS = 32
EXCESS = 0.01
"""The hulls together hold at most this much more than the solid, as a share of the whole hull; unless that needs more
than `MOST_PARTS` parts."""
BOX_EXCESS = 0.02
"""A box replaces a hull that it exceeds by less than this."""
PLACES = 12
"""Planes that are tried along each axis."""


def convex_shapes(vertices: Floats, faces: Ints) -> tuple[tuple[CollisionShape, ...], bool]:
    """Return convex shapes that together hold a mesh, and whether it was a solid.

    A solid is cut where that makes the hulls smallest. Other meshes have no inside: each of their loose pieces
    becomes its hull.
    """
    middle, size = vertices.mean(axis=0), float(np.ptp(vertices, axis=0).max())
    mesh = manifold3d.Mesh64(
        vert_properties=np.ascontiguousarray((vertices - middle) / size), tri_verts=faces.astype(np.uint64)
    )
    solid = manifold3d.Manifold(mesh)
    is_solid = solid.status() == manifold3d.Error.NoError and float(solid.volume()) > 1e-9
    parts = [_corners(part) for part in _cut(solid)] if is_solid else _loose_pieces((vertices - middle) / size, faces)
    return tuple(_shape(part * size + middle) for part in parts), is_solid


def _cut(whole: Any) -> list[Any]:
    """Return solids: the one with the most excess is cut again and again."""
    allowed = EXCESS * float(whole.hull().volume())
    count = itertools.count()
    todo = [(-_excess(part), next(count), part) for part in whole.decompose()]
    heapq.heapify(todo)
    done: list[Any] = []
    while todo and -sum(entry[0] for entry in todo) > allowed and len(todo) + len(done) < MOST_PARTS:
        _, _, part = heapq.heappop(todo)
        halves = _best_halves(part)
        if halves is None:
            done.append(part)
            continue
        for half in halves:
            for piece in half.decompose():
                heapq.heappush(todo, (-_excess(piece), next(count), piece))
    return [*done, *(entry[2] for entry in todo)]


def _best_halves(part: Any) -> tuple[Any, Any] | None:
    """Return both sides of the plane that leaves the smallest hulls; None where no plane makes them smaller."""
    corners = _corners(part)
    best: tuple[float, Any, Any] | None = None
    for axis in range(3):
        normal = np.eye(3)[axis]
        for place in _places(corners[:, axis]):
            above, below = part.split_by_plane(tuple(normal), place)
            cost = float(above.hull().volume()) + float(below.hull().volume())
            if not above.is_empty() and not below.is_empty() and (best is None or cost < best[0]):
                best = (cost, above, below)
    if best is None or best[0] > float(part.hull().volume()) * (1.0 - 1e-6):
        return None
    return best[1], best[2]


def _places(heights: Floats) -> list[float]:
    """Return where to try a cut: at corners, where solids change their section, and evenly between."""
    low, high = float(heights.min()), float(heights.max())
    margin = 0.02 * (high - low)
    inner = np.unique(np.round(heights[(heights > low + margin) & (heights < high - margin)], 4))
    if len(inner) > PLACES:
        inner = inner[np.linspace(0, len(inner) - 1, PLACES).astype(int)]
    even = np.linspace(low, high, PLACES // 2 + 2)[1:-1]
    return cast(list[float], np.unique(np.concatenate([inner, even])).tolist())


def _excess(part: Any) -> float:
    return float(part.hull().volume()) - float(part.volume())


def _corners(part: Any) -> Floats:
    return np.asarray(part.to_mesh64().vert_properties, dtype=np.float64)[:, :3]


def _loose_pieces(vertices: Floats, faces: Ints) -> list[Floats]:
    """Return the corners of each connected part of a mesh, the largest first."""
    label = np.arange(len(vertices))
    while True:
        least = label[faces].min(axis=1)
        before = label.copy()
        for column in range(3):
            np.minimum.at(label, faces[:, column], least)
        if (label == before).all():
            break
    used = np.unique(faces)
    pieces = [vertices[used[label[used] == root]] for root in np.unique(label[used])]
    pieces.sort(key=lambda piece: -float(np.ptp(piece, axis=0).max()))
    # Crumbs beyond the last are held by one hull.
    head, tail = pieces[: MOST_PARTS - 1], pieces[MOST_PARTS - 1 :]
    return [*head, np.concatenate(tail)] if tail else head


def _shape(corners: Floats) -> CollisionShape:
    hull = hull_round(corners)
    box = box_round(corners)
    return box if 8.0 * float(np.prod(box.half)) < (1.0 + BOX_EXCESS) * _volume(hull) else hull


def _volume(hull: Hull) -> float:
    return float(manifold3d.Manifold.hull_points(np.array(hull.points)).volume())
