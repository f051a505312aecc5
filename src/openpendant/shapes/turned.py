"""Crisp meshes made directly: turned parts and plates, with sharp edges where they are meant."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .mesh import Mesh, joined
from .outlines import Outline

_CREASE_COS = float(np.cos(np.deg2rad(30.0)))


def lathe(profile: Sequence[tuple[float, float]], segments: int = 40) -> Mesh:
    """Return the surface of a profile of (radius, z) points turned about the z axis.

    The profile runs upwards along the outside (the body is on its left, towards the axis);
    ends on the axis close the body. Bends of more than 30° stay sharp.
    """
    points = np.asarray(profile, dtype=np.float64)
    angle = np.linspace(0.0, 2 * np.pi, segments, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)])
    rows, normals, links = _profile_rows(points, closed=False)
    vertices, directions = _spun(rows, ring), _spun(normals, ring)
    i = np.arange(segments)
    j = (i + 1) % segments
    faces: list[NDArray[np.int64]] = []
    for low, high in links:
        a, b = low * segments, high * segments
        if rows[low, 0] > 1e-9:
            faces.append(np.stack([a + i, a + j, b + j], axis=1))
        if rows[high, 0] > 1e-9:
            faces.append(np.stack([a + i, b + j, b + i], axis=1))
    return Mesh(vertices, np.concatenate(faces).astype(np.int32), directions)


def plate(outline: Outline, z0: float, z1: float, chamfer: float = 0.0) -> Mesh:
    """Return a plate: a convex outline (x, y) from z0 to z1, its rims broken by a chamfer."""
    middle = outline.mean(axis=0)
    inner = outline
    if chamfer > 0.0:
        radius = np.linalg.norm(outline - middle, axis=1, keepdims=True)
        inner = middle + (outline - middle) * (1 - chamfer / radius)
    levels = [(inner, z0), (outline, z0 + chamfer), (outline, z1 - chamfer), (inner, z1)]
    if chamfer <= 0.0:
        levels = [(outline, z0), (outline, z1)]
    around, tangent, links = _profile_rows(outline, closed=True)
    del around
    pieces: list[Mesh] = []
    which = _source_rows(outline)
    for (low, za), (high, zb) in itertools.pairwise(levels):
        a = np.column_stack([low[which], np.full(len(which), za)])
        b = np.column_stack([high[which], np.full(len(which), zb)])
        rise = float(np.linalg.norm(high - low, axis=1).mean()) * np.sign(
            float(np.linalg.norm(low - middle, axis=1).mean() - np.linalg.norm(high - middle, axis=1).mean())
        )
        slope = np.array([zb - za, rise]) / np.hypot(zb - za, rise)
        normal = np.column_stack([tangent * slope[0], np.full(len(which), slope[1])])
        m = len(which)
        faces = [[p, q, q + m] for p, q in links] + [[p, q + m, p + m] for p, q in links]
        pieces.append(Mesh(np.concatenate([a, b]), np.array(faces, dtype=np.int32), np.concatenate([normal, normal])))
    for edge, z, up in ((levels[0][0], levels[0][1], -1.0), (levels[-1][0], levels[-1][1], 1.0)):
        n = len(edge)
        fan = np.array([[0, k, k + 1] for k in range(1, n - 1)], dtype=np.int32)
        vertices = np.column_stack([edge, np.full(n, z)])
        pieces.append(Mesh(vertices, fan if up > 0 else fan[:, ::-1].copy(), np.tile([0.0, 0.0, up], (n, 1))))
    return joined(pieces)


def screw(radius: float, height: float, segments: int = 14) -> Mesh:
    """Return a socket-head screw standing on z = 0: a low cylinder with a chamfer and a sunk socket."""
    r, h, c = radius, height, 0.18 * radius
    socket, depth = 0.5 * radius, 0.55 * height
    return lathe([(r, 0.0), (r, h - c), (r - c, h), (socket, h), (socket, h - depth), (0.0, h - depth)], segments)


def bolt_circle(bolt: Mesh, count: int, radius: float, start_deg: float = 0.0) -> Mesh:
    """Return copies of a mesh set on a circle about the z axis."""
    return joined(bolt.move(radius).turn("z", start_deg + 360.0 * k / count) for k in range(count))


def _spun(rows: NDArray[np.float64], ring: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn (radius, z) rows into points round the axis, row by row."""
    out = np.empty((len(rows), ring.shape[1], 3))
    out[:, :, :2] = rows[:, :1, None] * ring.T[None]
    out[:, :, 2] = rows[:, 1:]
    return out.reshape(-1, 3)


def _profile_rows(
    points: NDArray[np.float64], *, closed: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64], list[tuple[int, int]]]:
    """Split a polyline at its sharp bends: rows, their outward normals, and which rows are linked."""
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    edge = ends - points[: len(ends)]
    out = np.column_stack([edge[:, 1], -edge[:, 0]])
    out = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-15)
    rows: list[NDArray[np.float64]] = []
    normals: list[NDArray[np.float64]] = []
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for k, point in enumerate(points):
        before = out[k - 1] if (closed or k > 0) else None
        after = out[k] if (closed or k < len(out)) else None
        if before is not None and after is not None and float(before @ after) > _CREASE_COS:
            mean = before + after
            rows.append(point)
            normals.append(mean / np.linalg.norm(mean))
            first[k] = last[k] = len(rows) - 1
            continue
        for side, normal in ((last, before), (first, after)):
            if normal is not None:
                rows.append(point)
                normals.append(normal)
                side[k] = len(rows) - 1
    links = [(first[k], last[(k + 1) % len(points)]) for k in range(len(ends))]
    return np.array(rows), np.array(normals), links


def _source_rows(points: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return for each row of `_profile_rows` (closed) the corner it came from."""
    rows, _, _ = _profile_rows(points, closed=True)
    return np.array([int(np.argmin(((points - row) ** 2).sum(axis=1))) for row in rows])
