"""Fit collision shapes round meshes: contain every vertex, and stay near the surface."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .collision import CollisionShape, Hull, outside
from .foreign import ConvexBody, Neighbours
from .mesh import Mesh, joined
from .surface import sample_shape, sample_triangles
from .wrapping import box_round, capsule_round, hull_round

__all__ = ["fit_collision"]

Floats = NDArray[np.float64]

FAT_M = 0.025
"""A shape may stand at most this far off the mesh."""
FAT_SIMPLE_M = 0.012
"""A capsule or box replaces a hull only when it is this tight; loose shapes touch too early."""
MAX_DEPTH = 6
CUTS = (
    *((share,) for share in (0.12, 0.2, 0.28, 0.36, 0.43, 0.5, 0.57, 0.64, 0.72, 0.8, 0.88)),
    *((share, 1 - share) for share in (0.12, 0.18, 0.24, 0.29, 0.33, 0.38, 0.43)),
)
"""Where planes are tried, as shares of a piece's length; a fork wants two at once."""
PIECE_COST = 0.06
"""What a further piece must save, as a share of the hull's volume."""
OVERLAP_M = 0.001
"""Neighbouring pieces overlap by this, so that no gap is left between them."""
MIRROR = np.ones((3, 3)) - 2 * np.eye(3)
SPACING_M = 0.006


def fit_collision(meshes: Sequence[Mesh]) -> tuple[CollisionShape, ...]:
    """Return convex shapes that together contain the meshes of one link.

    Every vertex (and so every triangle) is inside one of the shapes, and their common surface is
    nowhere more than 25 mm from the meshes. A body that one convex shape cannot follow is cut by planes.
    """
    whole = joined(meshes)
    triangles = whole.vertices[whole.faces]
    surface = Neighbours(sample_triangles(triangles, SPACING_M))
    pieces = _merged(_cut(_Piece.of(triangles, ()), surface, MAX_DEPTH), surface)
    # Where a neighbour was cut again, it may no longer cover the face of a cut.
    for _ in range(MAX_DEPTH):
        bare = [p for p in pieces if _fatness(p.hull, [o.hull for o in pieces if o is not p], surface) > FAT_M]
        if not bare:
            break
        pieces = [p for p in pieces if not any(p is b for b in bare)]
        pieces += [end for p in bare for end in _divided(p, surface, 1)]
    return tuple(_simplest(piece, pieces, surface) for piece in pieces)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of the mesh: its triangles, the corners of its hull, the hull, and where it was cut off."""

    triangles: Floats
    corners: Floats
    hull: Hull
    cuts: tuple[tuple[int, float], ...]
    """Planes (axis, coordinate); what lies on them is covered by the other half."""

    @staticmethod
    def of(triangles: Floats, cuts: tuple[tuple[int, float], ...]) -> "_Piece":
        points = triangles.reshape(-1, 3)
        corners = points[ConvexBody(points).corners]
        return _Piece(triangles, corners, hull_round(corners), cuts)

    def fatness(self, surface: Neighbours) -> float:
        points = sample_shape(self.hull, SPACING_M * 1.5)
        for axis, at in self.cuts:
            points = points[np.abs(points[:, axis] - at) > 2 * OVERLAP_M]
        return float(surface.distance(points, 2 * FAT_M).max()) if len(points) else 0.0


def _cut(piece: _Piece, surface: Neighbours, depth: int) -> list[_Piece]:
    """Cut a piece until each part's hull is near the surface."""
    if depth == 0 or piece.fatness(surface) <= FAT_M:
        return [piece]
    return _divided(piece, surface, depth)


def _divided(piece: _Piece, surface: Neighbours, depth: int) -> list[_Piece]:
    """Cut a piece once, and its parts further as needed."""
    cut = _best_cut(piece.triangles)
    if cut is None:
        return [piece]
    axis, places = cut
    edges = [-np.inf, *places, np.inf]
    out: list[_Piece] = []
    for low, high in itertools.pairwise(edges):
        slab = _below(piece.triangles, axis, high + OVERLAP_M)
        slab = _below(slab * MIRROR[axis], axis, -low + OVERLAP_M) * MIRROR[axis]
        if len(slab):
            cuts = (*piece.cuts, *((axis, at) for at in places))
            out += _cut(_Piece.of(slab, cuts), surface, depth - 1)
    return out


def _best_cut(triangles: Floats) -> tuple[int, tuple[float, ...]] | None:
    """Return the axis and the places of the cut that leaves the smallest hulls; None: too small to cut."""
    # A thin sample tells it well enough.
    sample = sample_triangles(triangles, 1.5 * SPACING_M)
    whole = ConvexBody(sample).volume
    best: tuple[float, int, tuple[float, ...]] | None = None
    for axis in range(3):
        height = sample[:, axis]
        low, length = float(height.min()), float(np.ptp(height))
        if length < 0.03:
            continue
        for shares in CUTS:
            places = tuple(low + share * length for share in shares)
            edges = [-np.inf, *places, np.inf]
            cost = PIECE_COST * whole * len(places)
            for a, b in itertools.pairwise(edges):
                slab = sample[(height > a - SPACING_M / 2) & (height < b + SPACING_M / 2)]
                cost += ConvexBody(slab).volume if len(slab) > 4 else 0.0
            if best is None or cost < best[0]:
                best = (cost, axis, places)
    return None if best is None else best[1:]


def _merged(pieces: list[_Piece], surface: Neighbours) -> list[_Piece]:
    """Join pieces again where one hull serves both."""
    refused: set[tuple[int, int]] = set()
    while True:
        pairs = [(a, b) for a, b in itertools.combinations(pieces, 2) if (id(a), id(b)) not in refused]
        if not pairs:
            return pieces
        a, b = min(pairs, key=lambda ab: float(np.linalg.norm(ab[0].corners.mean(0) - ab[1].corners.mean(0))))
        both = _Piece.of(np.concatenate([a.triangles, b.triangles]), tuple({*a.cuts, *b.cuts}))
        if both.fatness(surface) <= FAT_M:
            pieces = [p for p in pieces if p is not a and p is not b] + [both]
        else:
            refused.add((id(a), id(b)))


def _simplest(piece: _Piece, pieces: list[_Piece], surface: Neighbours) -> CollisionShape:
    """Return a capsule or box instead of the hull where it is nearly as tight."""
    others = [p.hull for p in pieces if p is not piece]
    for candidate in (capsule_round(piece.corners), box_round(piece.corners)):
        if _fatness(candidate, others, surface) <= FAT_SIMPLE_M:
            return candidate
    return piece.hull


def _fatness(shape: CollisionShape, others: Sequence[CollisionShape], surface: Neighbours) -> float:
    """Return how far the shape's free surface stands off the mesh at most."""
    points = sample_shape(shape, SPACING_M * 1.5)
    for other in others:
        points = points[outside(other, points) > -1e-4]
    return float(surface.distance(points, 2 * FAT_M).max()) if len(points) else 0.0


def _below(triangles: Floats, axis: int, at: float) -> Floats:
    """Return what of the triangles lies below a plane; those across it are cut."""
    height = triangles[:, :, axis] - at
    inside = (height <= 0).all(axis=1)
    across = ~inside & (height < 0).any(axis=1)
    t, h = triangles[across], height[across]
    # Turn each so that its lone corner comes first.
    one_below = (h < 0).sum(axis=1) == 1
    lone = np.argmax(np.where(one_below[:, None], h < 0, h >= 0), axis=1)
    order = (lone[:, None] + np.arange(3)) % 3
    rows = np.arange(len(t))[:, None]
    t, h = t[rows, order], h[rows, order]
    p = t[:, 0] + (t[:, 1] - t[:, 0]) * (h[:, 0] / (h[:, 0] - h[:, 1]))[:, None]
    q = t[:, 0] + (t[:, 2] - t[:, 0]) * (h[:, 0] / (h[:, 0] - h[:, 2]))[:, None]
    tips = np.stack([t[:, 0], p, q], axis=1)[one_below]
    rest = np.concatenate([np.stack([p, t[:, 1], t[:, 2]], axis=1), np.stack([p, t[:, 2], q], axis=1)])
    return np.concatenate([triangles[inside], tips, rest[np.tile(~one_below, 2)]])
