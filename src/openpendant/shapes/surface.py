"""Points spread evenly over surfaces: of triangles and of collision shapes."""

import numpy as np
from numpy.typing import NDArray

from .collision import Box, Capsule, CollisionShape, Hull
from .foreign import ConvexBody
from .mesh import Mesh

Floats = NDArray[np.float64]


def sample_triangles(triangles: Floats, spacing: float) -> Floats:
    """Return points on triangles (F, 3, 3), nowhere farther apart than about `spacing`."""
    longest = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2).max(axis=1)
    parts = np.maximum(np.ceil(longest / spacing).astype(int), 1)
    out = [triangles.reshape(-1, 3)]
    for n in sorted({int(k) for k in parts}):
        if n == 1:
            continue
        i, j = np.indices((n + 1, n + 1), dtype=np.float64)
        keep = i + j <= n
        u, v = i[keep] / n, j[keep] / n
        weights = np.stack([1 - u - v, u, v], axis=1)
        out.append(np.einsum("wk,fkc->fwc", weights, triangles[parts == n]).reshape(-1, 3))
    # Slivers put many points on the same spot.
    return thinned(np.concatenate(out), 0.6 * spacing)


def thinned(points: Floats, spacing: float) -> Floats:
    """Return one of the points in each cube of this size."""
    cube = np.floor((points - points.min(axis=0)) / spacing).astype(np.int64)
    _, first = np.unique(cube @ np.array([1, 1 << 20, 1 << 40]), return_index=True)
    return points[first]


def sample_shape(shape: CollisionShape, spacing: float) -> Floats:
    """Return points on the surface of a collision shape."""
    mesh = collision_mesh(shape)
    return sample_triangles(mesh.vertices[mesh.faces], spacing)


def collision_mesh(shape: CollisionShape) -> Mesh:
    """Return the surface of a collision shape as a flat-shaded mesh."""
    match shape:
        case Capsule():
            points = _capsule_points(shape)
        case Box(centre=centre, half=half, axes=axes):
            signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
            points = np.array(centre) + (signs * np.array(half)) @ np.array(axes)
        case Hull(points=corners):
            points = np.array(corners)
    body = ConvexBody(points)
    triangles = points[body.faces]
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    flip = (normal * body.planes[:, :3]).sum(axis=1) < 0
    triangles[flip] = triangles[flip][:, ::-1]
    vertices = triangles.reshape(-1, 3)
    normals = np.repeat(body.planes[:, :3], 3, axis=0)
    return Mesh(vertices, np.arange(len(vertices), dtype=np.int32).reshape(-1, 3), normals)


def _capsule_points(shape: Capsule) -> Floats:
    """Return points on the two round ends of a capsule."""
    a, b = np.array(shape.a), np.array(shape.b)
    k = np.arange(240) + 0.5
    height, turn = 1 - 2 * k / 240, np.pi * (1 + 5**0.5) * k
    wide = np.sqrt(1 - height**2)
    ball = shape.radius * np.stack([wide * np.cos(turn), wide * np.sin(turn), height], axis=1)
    return np.concatenate([a + ball, b + ball])
