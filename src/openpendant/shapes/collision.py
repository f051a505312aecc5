"""Collision shapes: plain convex bodies in a link's frame, and the file they are kept in."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from openpendant.errors import RobotFileError

from .foreign import ConvexBody

Vec3 = tuple[float, float, float]


class Capsule(msgspec.Struct, frozen=True, tag="capsule", forbid_unknown_fields=True):
    """All points within `radius` of the segment from a to b. Metres."""

    a: Vec3
    b: Vec3
    radius: float


class Box(msgspec.Struct, frozen=True, tag="box", forbid_unknown_fields=True):
    """A box with its own axes. Metres."""

    centre: Vec3
    half: Vec3
    """Half of its edges."""
    axes: tuple[Vec3, Vec3, Vec3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """Rows: the unit vectors of its edges, right-handed."""


class Hull(msgspec.Struct, frozen=True, tag="hull", forbid_unknown_fields=True):
    """The convex hull of points. Metres."""

    points: tuple[Vec3, ...]


CollisionShape = Capsule | Box | Hull


def outside(shape: CollisionShape, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far points (N, 3) are outside a shape, at least; negative inside.

    Exact for a capsule; for box and hull the farthest of their planes.
    """
    match shape:
        case Capsule(a=a, b=b, radius=radius):
            start, axis = np.array(a), np.array(b) - np.array(a)
            t = np.clip((points - start) @ axis / max(float(axis @ axis), 1e-30), 0.0, 1.0)
            return np.linalg.norm(points - start - t[:, None] * axis, axis=1) - radius
        case Box(centre=centre, half=half, axes=axes):
            return (np.abs((points - np.array(centre)) @ np.array(axes).T) - np.array(half)).max(axis=1)
        case Hull(points=corners):
            planes = ConvexBody(np.array(corners)).planes
            return (points @ planes[:, :3].T + planes[:, 3]).max(axis=1)


def contains(shape: CollisionShape, points: NDArray[np.float64], slack: float = 1e-6) -> NDArray[np.bool_]:
    """Return which of the points (N, 3) lie in the shape, `slack` metres outside included."""
    return outside(shape, points) <= slack


class _CollisionEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a collision file: shapes by link."""

    format: int
    links: dict[str, tuple[CollisionShape, ...]]


def encode_collision(links: Mapping[str, tuple[CollisionShape, ...]]) -> bytes:
    """Return the JSON text of a collision file."""
    return msgspec.json.encode(_CollisionEntry(1, dict(links)))


def decode_collision(path: Path) -> dict[str, tuple[CollisionShape, ...]]:
    """Read a collision file.

    Raises:
        RobotFileError: It cannot be read or does not have the form; says where.
    """
    try:
        entry = msgspec.json.decode(path.read_bytes(), type=_CollisionEntry)
    except (OSError, msgspec.MsgspecError) as error:
        raise RobotFileError(path, str(error)) from error
    if entry.format != 1:
        raise RobotFileError(path, f"format {entry.format} is unknown; known: 1")
    return entry.links
