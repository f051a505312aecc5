"""Fit collision shapes round meshes: contain every vertex, and stay near the surface."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .collision import CollisionShape, Hull, outside
from .enclosures import box_round, capsule_round, hull_round
from .foreign import ConvexBody, Neighbours
from .interior import Filling, fill
from .mesh import Mesh
from .surface import sample_shape, sample_triangles, thinned

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
MERGE_GROWTH = 1.6
"""Pieces are not joined when their common hull is larger than both together by this factor."""
EVERYWHERE = np.array([[-np.inf] * 3, [np.inf] * 3])
MIRROR = np.ones((3, 3)) - 2 * np.eye(3)
SPACING_M = 0.006


def fit_collision(meshes: Sequence[Mesh]) -> tuple[CollisionShape, ...]:
    """Return convex shapes that together contain the meshes of one link.

    Every vertex (and so every triangle) is inside one of the shapes, and their common surface is
    nowhere more than 25 mm from the meshes. A body that one convex shape cannot follow is cut by
    planes; parts and cuts that one shape can hold are joined.

    Args:
        meshes: The parts of a link; those that are closed count as full.
    """
    body = _MeasuredBody(meshes)
    pieces = [end for k in range(len(meshes)) for end in _cut(body, body.piece((k, EVERYWHERE)), MAX_DEPTH)]
    pieces = _merged(body, _absorbed(pieces))
    # Where a neighbour was cut again, it may no longer cover the face of a cut.
    for _ in range(MAX_DEPTH):
        bare = [p for p in pieces if body.fatness(p.hull, [o.hull for o in pieces if o is not p]) > FAT_M]
        if not bare:
            break
        pieces = [p for p in pieces if not any(p is b for b in bare)]
        pieces += [end for p in bare for end in _divided(body, p, 1)]
    return tuple(_simplest(body, piece, pieces) for piece in pieces)


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """What of some parts lies in some boxes: corners of the hull, their hull, its volume."""

    places: tuple[tuple[int, Floats], ...]
    """Each the number of a part, and a box (2, 3): lower and upper bounds."""
    corners: Floats
    hull: Hull
    volume: float


class _MeasuredBody:
    """A link's surface and inside, to cut pieces from and to measure shapes against."""

    def __init__(self, meshes: Sequence[Mesh]) -> None:
        self.parts = [mesh.vertices[mesh.faces] for mesh in meshes]
        triangles = np.concatenate(self.parts)
        size = float(np.ptp(triangles.reshape(-1, 3), axis=0).max())
        self.fillings = fill(self.parts, min(max(size / 40, 0.005), 0.012))
        whole = np.logical_or.reduce([filling.inside for filling in self.fillings])
        self.filling = Filling(self.fillings[0].origin, self.fillings[0].spacing, whole)
        self.surface = Neighbours(sample_triangles(triangles, SPACING_M))

    def points_in(self, part: int, box: Floats) -> Floats:
        """Return corners of what of a part lies in a box: of its surface, and of its inside where it is cut."""
        t = self.parts[part]
        for axis in range(3):
            if np.isfinite(box[1, axis]):
                t = _below(t, axis, box[1, axis] + OVERLAP_M)
            if np.isfinite(box[0, axis]):
                t = _below(t * MIRROR[axis], axis, -box[0, axis] + OVERLAP_M) * MIRROR[axis]
        inner = self.fillings[part].on_faces(box[0] - OVERLAP_M, box[1] + OVERLAP_M)
        return np.concatenate([t.reshape(-1, 3), inner])

    def piece(self, *places: tuple[int, Floats]) -> _Piece:
        """Return what of the parts lies in the boxes."""
        return self.round(places, np.concatenate([self.points_in(part, box) for part, box in places]))

    def round(self, places: tuple[tuple[int, Floats], ...], points: Floats) -> _Piece:
        """Return a piece from points that hold all corners of its hull."""
        corners = points[ConvexBody(points).corners]
        hull = hull_round(corners)
        return _Piece(places, corners, hull, ConvexBody(np.array(hull.points)).volume)

    def fatness(self, shape: CollisionShape, others: Sequence[CollisionShape] = ()) -> float:
        """Return how far a shape's surface stands off the body; inside it or others it does not count."""
        # A coarse look finds most of what is far too fat.
        for spacing in (SPACING_M * 6, SPACING_M * 1.5):
            points = sample_shape(shape, spacing)
            for other in others:
                points = points[outside(other, points) > -1e-4]
            if not others:
                points = points[~self.filling.deep(points)]
            far = float(self.surface.distance(points, 2 * FAT_M).max()) if len(points) else 0.0
            if far > FAT_M:
                break
        return far


def _cut(body: _MeasuredBody, piece: _Piece, depth: int) -> list[_Piece]:
    """Cut a piece until each part's hull is near the surface."""
    if depth == 0 or body.fatness(piece.hull) <= FAT_M:
        return [piece]
    return _divided(body, piece, depth)


def _divided(body: _MeasuredBody, piece: _Piece, depth: int) -> list[_Piece]:
    """Cut a piece once, and its parts further as needed."""
    cut = _best_cut(np.concatenate([body.points_in(part, box) for part, box in piece.places]))
    if cut is None:
        return [piece]
    axis, at = cut
    out: list[_Piece] = []
    for low, high in itertools.pairwise([-np.inf, *at, np.inf]):
        places: list[tuple[int, Floats]] = []
        for part, box in piece.places:
            inner = box.copy()
            inner[:, axis] = np.clip(box[:, axis], low, high)
            if inner[0, axis] < inner[1, axis] and len(body.points_in(part, inner)):
                places.append((part, inner))
        if places:
            out += _cut(body, body.piece(*places), depth - 1)
    return out


def _best_cut(points: Floats) -> tuple[int, tuple[float, ...]] | None:
    """Return the axis and the places of the cut that leaves the smallest hulls; None: too small to cut."""
    sample = thinned(points, 1.6 * SPACING_M)
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


def _absorbed(pieces: list[_Piece]) -> list[_Piece]:
    """Give pieces that lie in the hull of a larger one (screws, lids, seams) to that one."""
    kept: list[_Piece] = []
    for piece in sorted(pieces, key=lambda p: -p.volume):
        for k, large in enumerate(kept):
            if (outside(large.hull, piece.corners) <= 0.0).all():
                kept[k] = replace(large, places=(*large.places, *piece.places))
                break
        else:
            kept.append(piece)
    return kept


def _merged(body: _MeasuredBody, pieces: list[_Piece]) -> list[_Piece]:
    """Join pieces where one hull serves both, those first whose hull grows least."""
    # The keys keep joined pieces alive: their place in memory, taken by a new piece, would lend it their growth.
    growth: dict[tuple[_Piece, _Piece], float] = {}
    while True:
        found: tuple[float, _Piece, _Piece] | None = None
        for a, b in itertools.combinations(pieces, 2):
            pair = (a, b)
            if pair not in growth:
                common = ConvexBody(np.array([*a.hull.points, *b.hull.points])).volume
                growth[pair] = common / (a.volume + b.volume)
            if growth[pair] < MERGE_GROWTH and (found is None or growth[pair] < found[0]):
                found = (growth[pair], a, b)
        if found is None:
            return pieces
        _, a, b = found
        both = body.round((*a.places, *b.places), np.concatenate([a.corners, b.corners]))
        if body.fatness(both.hull) <= FAT_M:
            pieces = [*(p for p in pieces if p is not a and p is not b), both]
        else:
            growth[a, b] = np.inf


def _simplest(body: _MeasuredBody, piece: _Piece, pieces: list[_Piece]) -> CollisionShape:
    """Return a capsule or box instead of the hull where it is nearly as tight."""
    others = [p.hull for p in pieces if p is not piece]
    for candidate in (capsule_round(piece.corners), box_round(piece.corners)):
        if body.fatness(candidate, others) <= FAT_SIMPLE_M:
            return candidate
    return piece.hull


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
