"""From a solid to its mesh: sample, march, thin out, and take the normals from the field."""

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import InputError

from .foreign import march, simplify
from .mesh import Material, Mesh, Part
from .solid import Array, Axis, Solid, direction

_SMOOTH_COS = float(np.cos(np.deg2rad(30.0)))
"""Normals at a sharp vertex that differ by less belong to the same side of the edge."""
_SHARP_RAD = float(np.deg2rad(12.0))
"""Normals round a vertex that differ less from their mean make no edge."""
_TETRA = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], dtype=np.float64)


def part(body: Solid | Mesh, material: Material, cell: float = 0.003, triangles: int = 1200) -> Part:
    """Return a body as a part; a solid is meshed first (see `skin`)."""
    return Part(skin(body, cell, triangles) if isinstance(body, Solid) else body, material)


def skin(solid: Solid, cell: float = 0.003, triangles: int = 1200) -> Mesh:
    """Return the closed surface of a solid.

    Args:
        solid: What to mesh.
        cell: Spacing of the samples in metres; features thinner than about two cells vanish.
        triangles: At most this many.

    Raises:
        InputError: The solid is empty at this spacing.
    """
    values, origin = _sample(solid, cell)
    if values.min() >= 0.0 or values.max() <= 0.0:
        raise InputError(f"the solid has no surface between {solid.lower} and {solid.upper} at a cell of {cell} m")
    vertices, faces = march(values, cell)
    vertices = _onto(solid, vertices + origin, cell, 1)
    if len(faces) > triangles:
        vertices, faces = simplify(vertices, faces, triangles)
        vertices = _onto(solid, vertices, cell, 2)
    return _shaded(solid, vertices, faces, cell)


def draped(mesh: Mesh, solid: Solid, towards: Axis) -> Mesh:
    """Let a mesh that is outside a solid fall onto it: every column of it as far as needed.

    Args:
        mesh: For instance lettering, whose foot is a plane at right angles to `towards`.
        solid: What it falls on.
        towards: The direction of falling.

    Raises:
        InputError: Some of the mesh falls past the solid.
    """
    down = direction(towards)
    height = mesh.vertices @ -down
    foot = mesh.vertices + (height - height.min())[:, None] * down
    fallen = gap = np.zeros(len(foot))
    for _ in range(80):
        gap = np.asarray(solid.field(np.ascontiguousarray((foot + fallen[:, None] * down).T)), dtype=np.float64)
        fallen = fallen + gap
    if float(np.abs(gap).max()) > 1e-4:
        raise InputError("a part of the mesh falls past the solid: move it over the solid, or make it smaller")
    return Mesh(mesh.vertices + fallen[:, None] * down, mesh.faces, mesh.normals)


def _sample(solid: Solid, cell: float) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Sample the field on a grid, finely only near the surface; values elsewhere keep the right sign."""
    origin = solid.lower - 1.6 * cell
    shape = np.maximum(np.ceil((solid.upper + 1.6 * cell - origin) / (4 * cell)).astype(int) + 1, 2)
    step = 4 * cell
    values = np.empty(shape, dtype=np.float32)
    everywhere = np.ones(shape, dtype=np.bool_)
    _fill(solid, values, everywhere, origin, step)
    for _ in range(2):
        for axis in range(3):
            values = _doubled(values, axis)
        step /= 2
        _fill(solid, values, np.abs(values) < 2.6 * step, origin, step)
    # The rim is outside by construction; a field that is not exact must not open the surface there.
    for axis in range(3):
        for end in (0, -1):
            rim = np.moveaxis(values, axis, 0)[end]
            np.maximum(rim, cell * 0.1, out=rim)
    return values, origin


def _fill(
    solid: Solid, values: NDArray[np.float32], where: NDArray[np.bool_], origin: NDArray[np.float64], step: float
) -> None:
    index = np.stack(np.nonzero(where))
    points = (index * step + origin[:, None]).astype(np.float32)
    values[where] = solid.field(points)


def _doubled(values: NDArray[np.float32], axis: int) -> NDArray[np.float32]:
    """Insert the mean between neighbours along an axis."""
    v = np.moveaxis(values, axis, 0)
    out = np.empty((2 * len(v) - 1, *v.shape[1:]), dtype=np.float32)
    out[::2] = v
    out[1::2] = (v[:-1] + v[1:]) * np.float32(0.5)
    return np.moveaxis(out, 0, axis)


def _gradient(solid: Solid, points: NDArray[np.float64], h: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the field's mean value near the points, and its gradient (N, 3)."""
    around = (points[None] + h * _TETRA[:, None]).reshape(-1, 3).T
    f = np.asarray(solid.field(np.ascontiguousarray(around)), dtype=np.float64).reshape(4, -1)
    return f.mean(axis=0), np.einsum("kn,kc->nc", f, _TETRA) / (4 * h)


def _onto(solid: Solid, points: NDArray[np.float64], cell: float, rounds: int) -> NDArray[np.float64]:
    """Move points along the gradient onto the surface, at most half a cell a round."""
    for _ in range(rounds):
        _, g = _gradient(solid, points, 0.05 * cell)
        value = np.asarray(solid.field(np.ascontiguousarray(points.T)), dtype=np.float64)
        step = np.clip(value / np.maximum((g * g).sum(axis=1), 0.25), -cell / 2, cell / 2)
        points = points - step[:, None] * g
    return points


def _shaded(solid: Solid, vertices: NDArray[np.float64], faces: NDArray[np.int32], cell: float) -> Mesh:
    """Give every corner its normal; corners of one vertex part where the surface has an edge."""
    corner, face = faces.reshape(-1), np.repeat(np.arange(len(faces)), 3)
    flat = _unit(np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]]))
    inward = vertices[faces].mean(axis=1)[face] - vertices[corner]
    length = np.maximum(np.linalg.norm(inward, axis=1, keepdims=True), 1e-12)
    # Asked a little inside its triangle, the field says on which side of an edge a corner lies. On a
    # fillet the normals round a vertex draw together when asked nearer to it; on an edge they do not.
    normals: list[NDArray[np.float64]] = []
    spreads: list[NDArray[np.float64]] = []
    for reach in (0.8 * cell, 0.4 * cell):
        step = np.minimum(0.3 * reach / (0.8 * cell), reach / length)
        n = _unit(_gradient(solid, vertices[corner] + step * inward, 0.2 * reach)[1])
        wrong = (n * flat[face]).sum(axis=1) < 0.3
        n[wrong] = flat[face][wrong]
        mean = np.zeros_like(vertices)
        np.add.at(mean, corner, n)
        spread = np.zeros(len(vertices))
        np.maximum.at(spread, corner, np.arccos(np.clip((n * _unit(mean)[corner]).sum(axis=1), -1.0, 1.0)))
        normals.append(n)
        spreads.append(spread)
    sharp = (spreads[0] > _SHARP_RAD) & (spreads[1] > 0.7 * spreads[0])
    at_vertex = _unit(_gradient(solid, vertices, 0.2 * cell)[1])
    normal = np.where(sharp[corner][:, None], _clustered(corner, normals[1]), at_vertex[corner])
    key = np.concatenate([corner[:, None], np.round(normal * 20).astype(np.int64)], axis=1)
    _, first, back = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return Mesh(vertices[corner[first]], back.reshape(-1, 3).astype(np.int32), _unit(normal[first]))


def _clustered(corner: NDArray[np.int32], normals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Replace the normal of each corner by the mean of those at the same vertex that are not across an edge."""
    order = np.argsort(corner, kind="stable")
    c, n = corner[order], normals[order]
    total = n.copy()
    for k in range(1, int(np.bincount(c).max())):
        near = np.nonzero((c[k:] == c[:-k]) & ((n[k:] * n[:-k]).sum(axis=1) > _SMOOTH_COS))[0]
        np.add.at(total, near, n[near + k])
        np.add.at(total, near + k, n[near])
    out = np.empty_like(normals)
    out[order] = _unit(total)
    return out


def _unit(v: Array) -> NDArray[np.float64]:
    length = np.linalg.norm(v, axis=1, keepdims=True)
    return np.where(length > 1e-12, v / np.maximum(length, 1e-12), np.array([0.0, 0.0, 1.0]))
