"""The smallest simple shapes round points: hull with few corners, capsule, box."""

import numpy as np
from numpy.typing import NDArray

from .collision import Box, Capsule, Hull
from .foreign import ConvexBody, halfspace_corners

Floats = NDArray[np.float64]

MAX_CORNERS = 64
MARGIN_M = 2e-5
"""Shapes are this much larger than needed, so that rounding cannot put a vertex outside."""


def hull_round(corners: Floats) -> Hull:
    """Return a hull with few corners round the points: planes of the true hull, the large ones first."""
    body = ConvexBody(corners)
    if len(body.corners) > MAX_CORNERS:
        corners = _outer(corners, body)
    middle = corners.mean(axis=0)
    away = corners - middle
    corners = corners + away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12) * MARGIN_M
    return Hull(tuple((float(x), float(y), float(z)) for x, y, z in corners))


def _outer(corners: Floats, body: ConvexBody) -> Floats:
    """Return the corners of a simpler body that contains the hull: some of its planes."""
    faces = corners[body.faces]
    area = np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=1)
    normals = body.planes[:, :3]
    for gap_deg in (12.0, 16.0, 20.0, 25.0, 30.0):
        directions = _spread(normals, area, np.cos(np.deg2rad(gap_deg)))
        planes = np.column_stack([directions, -(corners @ directions.T).max(axis=0) - MARGIN_M])
        simple = halfspace_corners(planes, corners.mean(axis=0))
        simple = np.unique(np.round(simple, 6), axis=0)
        simple = simple[ConvexBody(simple).corners]
        if len(simple) <= MAX_CORNERS * 1.5:
            return simple
    return simple


def _spread(normals: Floats, weight: Floats, limit: float) -> Floats:
    """Return the axes and the weightiest normals, any two at least an angle apart (its cosine is `limit`)."""
    chosen = [*np.eye(3), *-np.eye(3)]
    weight = np.where((normals @ np.array(chosen).T).max(axis=1) < limit, weight, 0.0)
    while weight.max() > 0.0:
        chosen.append(normals[int(np.argmax(weight))])
        weight[normals @ chosen[-1] >= limit] = 0.0
    return np.array(chosen)


def capsule_round(points: Floats) -> Capsule:
    """Return a small capsule round the points: its axis is one of their principal directions."""
    best: tuple[float, Capsule] | None = None
    frames = [np.eye(3), _principal(points)]
    for axis in np.concatenate(frames):
        side = _principal_plane(axis)
        flat = points @ side.T
        centre = _disc_centre(flat)
        radius = float(np.linalg.norm(flat - centre, axis=1).max()) + MARGIN_M
        t = points @ axis
        reach = np.sqrt(np.maximum(radius**2 - ((flat - centre) ** 2).sum(axis=1), 0.0))
        low, high = float((t + reach).min()), float((t - reach).max())
        if low > high:
            low = high = (low + high) / 2
        volume = np.pi * radius**2 * (high - low) + 4 / 3 * np.pi * radius**3
        foot = centre @ side
        if best is None or volume < best[0]:
            a, b = foot + low * axis, foot + high * axis
            best = (volume, Capsule(_tuple(a), _tuple(b), radius))
    assert best is not None  # noqa: S101 - there are always six axes
    return best[1]


def box_round(points: Floats) -> Box:
    """Return the smallest of the boxes along the frame's axes, the principal directions and the large faces."""
    best: tuple[float, Box] | None = None
    for axes in (np.eye(3), _principal(points), _along_faces(points)):
        local = points @ axes.T
        low, high = local.min(axis=0), local.max(axis=0)
        half = (high - low) / 2 + MARGIN_M
        made = Box(_tuple((low + high) / 2 @ axes), _tuple(half), (_tuple(axes[0]), _tuple(axes[1]), _tuple(axes[2])))
        if best is None or float(half.prod()) < best[0]:
            best = (float(half.prod()), made)
    assert best is not None  # noqa: S101 - there are always three boxes
    return best[1]


def _principal(points: Floats) -> Floats:
    """Return a right-handed frame (rows) along the principal directions of points."""
    _, _, rows = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    rows[2] = np.cross(rows[0], rows[1])
    return rows


def _along_faces(points: Floats) -> Floats:
    """Return a right-handed frame (rows) along the two largest faces of the hull that are square to each other."""
    body = ConvexBody(points)
    faces = points[body.faces]
    area = np.linalg.norm(np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]), axis=1)
    normals = body.planes[:, :3]
    first = _common_normal(normals, area)
    square = np.abs(normals @ first) < 0.2
    if not square.any():
        return _principal(points)
    second = _common_normal(normals[square], area[square])
    second -= first * float(first @ second)
    second /= np.linalg.norm(second)
    return np.stack([first, second, np.cross(first, second)]).astype(np.float64)


def _common_normal(normals: Floats, area: Floats) -> Floats:
    """Return the mean of the normals that hold the most area within a few degrees."""
    near = normals @ normals[np.argsort(-area)[:60]].T > 0.99
    members = near[:, int(np.argmax(area @ near))]
    mean = (normals[members] * area[members, None]).sum(axis=0)
    length = float(np.linalg.norm(mean))
    # Among nothing but slivers there is no area to weigh with.
    return mean / length if length > 1e-15 else normals[int(np.argmax(area))]


def _principal_plane(axis: Floats) -> Floats:
    """Return two unit vectors (rows) at right angles to an axis."""
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    u = np.cross(axis, other)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(axis, u)]).astype(np.float64)


def _disc_centre(flat: Floats) -> Floats:
    """Return nearly the centre of the smallest circle round points (Badoiu and Clarkson's steps)."""
    centre = (flat.min(axis=0) + flat.max(axis=0)) / 2
    for k in range(1, 60):
        far = flat[int(np.argmax(((flat - centre) ** 2).sum(axis=1)))]
        centre = centre + (far - centre) / (k + 8)
    return centre


def _tuple(v: Floats) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
