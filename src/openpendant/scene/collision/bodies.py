"""Body: a convex body as the kernels see it, made from shapes of robots, cells and meshes."""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from openpendant.scene.document import BoxShape, CylinderShape, SphereShape
from openpendant.shapes import Box, Capsule, CollisionShape
from openpendant.spatial import make_transform

from .kernels.rows import (
    BALL,
    BODY_FLOATS,
    BOUND,
    HALF,
    KIND_BOX,
    KIND_CORNERS,
    KIND_CYLINDER,
    MARGIN,
    PLACE,
    RADIUS,
    SPINE,
)

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A convex core (corners, box, or cylinder about z) widened by a radius, in a frame at its middle."""

    kind: int
    T: NDArray[np.float64]
    """(4, 4): its frame in the link, the flange or the world."""
    half: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Half edges of a box; radius, radius, half length of a cylinder."""
    radius: float = 0.0
    corners: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    """(C, 3): in its own frame."""

    def moved(self, T: Array) -> "Body":
        """Return the same body in another frame: `T` is the old frame in the new one."""
        return Body(self.kind, T @ self.T, self.half, self.radius, self.corners)

    def shrunk(self, by: float) -> "Body":
        """Return the body with its surface `by` metres further in; it never vanishes."""
        if self.radius > by:
            return Body(self.kind, self.T, self.half, self.radius - by, self.corners)
        if self.kind == KIND_CORNERS:
            bound = float(self.bound().min())
            share = max(0.05, 1.0 - by / max(bound, 1e-9))
            return Body(self.kind, self.T, self.half, self.radius, self.corners * share)
        x, y, z = (max(h - by, 0.05 * h) for h in self.half)
        return Body(self.kind, self.T, (x, y, z), self.radius, self.corners)

    def bound(self) -> Array:
        """Return the half edges of a box about its frame that holds it."""
        if self.kind == KIND_CORNERS:
            return np.abs(self.corners).max(axis=0) + self.radius
        return np.array(self.half) + self.radius

    def farthest(self, direction: Array) -> float:
        """Return the greatest extent along a unit direction, from the origin of the frame that `T` places it in."""
        local = self.T[:3, :3].T @ direction
        if self.kind == KIND_CORNERS:
            core = float((self.corners @ local).max())
        elif self.kind == KIND_CYLINDER:
            core = self.half[0] * float(np.hypot(local[0], local[1])) + self.half[2] * abs(float(local[2]))
        else:
            core = float(np.abs(local) @ np.array(self.half))
        return float(self.T[:3, 3] @ direction) + core + self.radius

    def row(self, margin: float = 0.0) -> Array:
        """Return its floats for the kernels, placed by its own frame."""
        out = np.zeros(BODY_FLOATS)
        out[PLACE : PLACE + 9] = self.T[:3, :3].ravel()
        out[PLACE + 9 : PLACE + 12] = self.T[:3, 3]
        out[HALF : HALF + 3] = self.half
        out[RADIUS] = self.radius
        out[BOUND : BOUND + 3] = self.bound()
        out[MARGIN] = margin
        if self.kind == KIND_CORNERS:
            out[BALL] = float(np.linalg.norm(self.corners, axis=1).max()) + self.radius
            out[SPINE : SPINE + 7] = _known_spine(self.corners.tobytes(), self.radius)
        else:
            is_box = self.kind == KIND_BOX
            long = int(np.argmax(self.half)) if is_box else 2
            others = [h for axis, h in enumerate(self.half) if axis != long]
            across = float(np.hypot(others[0], others[1])) if is_box else self.half[0]
            out[BALL] = float(np.hypot(across, self.half[long])) + self.radius
            out[SPINE + long] = -self.half[long]
            out[SPINE + 3 + long] = self.half[long]
            out[SPINE + 6] = across + self.radius
        return out


def body_of_collision(shape: CollisionShape) -> Body:
    """Return a collision shape of a link as a body, in the link's frame."""
    if isinstance(shape, Box):
        T = np.eye(4)
        T[:3, :3] = np.array(shape.axes).T
        T[:3, 3] = shape.centre
        return Body(KIND_BOX, T, shape.half)
    if isinstance(shape, Capsule):
        return _capsule(np.array(shape.a), np.array(shape.b), shape.radius)
    return _of_corners(np.array(shape.points))


def body_of_shape(shape: BoxShape | CylinderShape | SphereShape, T: Array) -> Body:
    """Return a shape of a cell as a body; `T` is its pose."""
    match shape:
        case BoxShape(size=(x, y, z)):
            return Body(KIND_BOX, T, (x / 2, y / 2, z / 2))
        case CylinderShape(radius=radius, length=length):
            return Body(KIND_CYLINDER, T, (radius, radius, length / 2))
        case SphereShape(radius=radius):
            return Body(KIND_CORNERS, T, radius=radius, corners=np.zeros((1, 3)))


def _capsule(a: Array, b: Array, radius: float) -> Body:
    """Return the capsule round the segment from a to b, in a frame whose z is its axis."""
    length = float(np.linalg.norm(b - a))
    if length < 1e-9:
        return Body(KIND_CORNERS, make_transform(None, (a + b) / 2), radius=radius, corners=np.zeros((1, 3)))
    z = (b - a) / length
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    T = make_transform(np.column_stack([x, np.cross(z, x), z]), (a + b) / 2)
    corners = np.array([[0.0, 0.0, -length / 2], [0.0, 0.0, length / 2]])
    return Body(KIND_CORNERS, T, radius=radius, corners=corners)


def _of_corners(points: Array) -> Body:
    """Return the body of corners, in the frame whose box is the smaller: parallel to the link, or principal."""
    best: tuple[float, Array, Array] | None = None
    for R in (np.eye(3), _principal(points)):
        local = points @ R
        low, high = local.min(axis=0), local.max(axis=0)
        size = float((high - low + 1e-3).prod())
        if best is None or size < 0.9 * best[0]:
            T = np.eye(4)
            T[:3, :3] = R
            T[:3, 3] = R @ ((low + high) / 2)
            best = (size, T, local - (low + high) / 2)
    assert best is not None  # noqa: S101 - there are always two frames
    return Body(KIND_CORNERS, best[1], corners=np.ascontiguousarray(best[2]))


def _principal(points: Array) -> Array:
    """Return a right-handed frame (columns) along the principal directions of points."""
    # For N points the full decomposition gives N x N numbers that are never used; only two points need its third axis.
    _, _, rows = np.linalg.svd(points - points.mean(axis=0), full_matrices=len(points) < 3)
    rows[2] = np.cross(rows[0], rows[1])
    return rows.T


@lru_cache(maxsize=4096)
def _known_spine(corners: bytes, radius: float) -> tuple[float, ...]:
    """Return the same as `_spine`: a check lays many scenes out with the same bodies in them."""
    return tuple(_spine(np.frombuffer(corners).reshape(-1, 3), radius).tolist())


def _spine(corners: Array, radius: float) -> Array:
    """Return the two ends and the radius of a capsule round corners, along their longest direction."""
    if len(corners) == 1:
        return np.array([*corners[0], *corners[0], radius])
    axis = _principal(corners)[:, 0]
    along = corners @ axis
    across = corners - along[:, None] * axis
    middle = (across.min(axis=0) + across.max(axis=0)) / 2
    middle -= axis * float(middle @ axis)
    wide = float(np.linalg.norm(across - middle, axis=1).max())
    # Ends drawn in as far as the round caps still hold every corner.
    room = np.sqrt(np.maximum(wide**2 - ((across - middle) ** 2).sum(axis=1), 0.0))
    low, high = float((along + room).min()), float((along - room).max())
    if low > high:
        low = high = (low + high) / 2
        wide = float(np.linalg.norm(corners - (middle + low * axis), axis=1).max())
    return np.array([*(middle + low * axis), *(middle + high * axis), wide + radius])
