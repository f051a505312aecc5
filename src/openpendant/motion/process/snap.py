"""Snapping: the tool onto a face or an edge of a box, or onto any surface. Poses in the world, metres and radians."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.spatial import make_transform

from .weld import unit, vector, weld_edge

Array = NDArray[np.float64]
WeldPreset = Literal["square", "fillet", "plain", "lap", "vertical"]

WELD_ANGLES: dict[WeldPreset, tuple[float, float]] = {
    "square": (math.radians(90.0), 0.0),
    "fillet": (math.radians(45.0), math.radians(10.0)),
    "plain": (math.radians(45.0), 0.0),
    "lap": (math.radians(60.0), math.radians(10.0)),
    "vertical": (math.radians(45.0), math.radians(-15.0)),
}
"""By preset: the angle between tool and surface, and how far the tool leans back against the weld, radians."""

SIDES = 4
"""That stand round a box."""
EDGE_M = 0.012
"""A touch nearer than this to an edge of a box means the edge."""
FLAT = 0.05
"""A tool whose x is nearly along the surface's normal keeps its y instead."""


@dataclass(frozen=True, eq=False)
class PlacedBox:
    """A box about its own frame, with its sides in metres."""

    T_world_box: Array
    size: Array

    def __post_init__(self) -> None:
        if not (np.isfinite(self.size).all() and (self.size > 0.0).all()):
            raise InputError(f"size is {self.size.tolist()}; allowed: three positive numbers")

    def nearest(self, place: Array, on: dict[int, float]) -> Array:
        """Return the point nearest to a place, on the sides of these axes: 1 or -1 by axis."""
        R, half = self.T_world_box[:3, :3], 0.5 * self.size
        at = np.clip(R.T @ (place - self.T_world_box[:3, 3]), -half, half)
        for axis, sign in on.items():
            at[axis] = sign * half[axis]
        return R @ at + self.T_world_box[:3, 3]


@dataclass(frozen=True, eq=False)
class _BoxFace:
    point: Array
    up: Array


@dataclass(frozen=True, eq=False)
class _BoxEdge(_BoxFace):
    """`up` and `out` are the normals of the faces that meet there; `up` looks up more."""

    along: Array
    out: Array


Spot = TypeVar("Spot", bound=_BoxFace)


def snap_to_face(box: PlacedBox, T_world_tool: Array) -> Array:
    """Return the tool on the nearest face of a box, z square into it, turned as little as can be."""
    face = _nearest(_faces(box, T_world_tool[:3, 3]), T_world_tool[:3, 3])
    return stand_on(face.point, face.up, T_world_tool)


def snap_to_edge(box: PlacedBox, T_world_tool: Array, preset: WeldPreset) -> Array:
    """Return the tool on the nearest edge of a box, at the angles of a preset, along it as the tool turns less."""
    edge = _nearest(_edges(box, T_world_tool[:3, 3]), T_world_tool[:3, 3])
    along = edge.along if float(T_world_tool[:3, 0] @ edge.along) >= 0.0 else -edge.along
    side = "right" if float(np.cross(along, edge.up) @ edge.out) > 0.0 else "left"
    angle, travel = WELD_ANGLES[preset]
    return weld_edge(edge.point, edge.point + along, edge.up, side=side, angle=angle, travel=travel).T_start


def turn_to_side(box: PlacedBox, T_world_tool: Array, side: int, preset: WeldPreset) -> Array:
    """Return the tool turned to weld along an upper edge of a box, where it is; only its rotation changes.

    Args:
        box: Whose edge.
        T_world_tool: Where the tool is now.
        side: Which of the four sides round the box, counted anticlockwise as seen from above.
        preset: How the tool stands on edges.

    Raises:
        InputError: There is no such side.
    """
    if not 0 <= side < SIDES:
        raise InputError(f"side is {side}; allowed: 0 to {SIDES - 1}")
    R = box.T_world_box[:3, :3]
    upright = int(np.argmax(np.abs(R[2])))
    up = R[:, upright] * math.copysign(1.0, float(R[2, upright]))
    first = R[:, (upright + 1) % 3]
    out = (first, np.cross(up, first), -first, -np.cross(up, first))[side]
    along = np.cross(up, out)
    if float(T_world_tool[:3, 0] @ along) < 0.0:
        along = -along
    turned = "right" if float(np.cross(along, up) @ out) > 0.0 else "left"
    angle, travel = WELD_ANGLES[preset]
    at = T_world_tool[:3, 3]
    return weld_edge(at, at + along, up, side=turned, angle=angle, travel=travel).T_start


def snap_to_touch(
    box: PlacedBox | None, at: ArrayLike, normal: ArrayLike, T_world_tool: Array, preset: WeldPreset
) -> Array:
    """Return the tool on a touched place: on the edge of a box near it at the angles of a preset, else square on it.

    Args:
        box: What was touched, if it is a box.
        at: The touched place, metres.
        normal: Which way its surface looks there.
        T_world_tool: Where the tool is now.
        preset: How it stands on edges.

    Raises:
        InputError: An invalid place or normal.
    """
    place = vector(at, "at")
    if box is not None and math.dist(_nearest(_edges(box, place), place).point, place) < EDGE_M:
        return snap_to_edge(box, make_transform(T_world_tool[:3, :3], place), preset)
    return stand_on(place, vector(normal, "normal"), T_world_tool)


def stand_on(at: Array, normal: Array, T_world_tool: Array) -> Array:
    """Return the tool's point there, its z square into the surface, turned as little as can be."""
    z = -unit(normal, "the normal has no length")
    across = T_world_tool[:3, 0] - z * float(T_world_tool[:3, 0] @ z)
    if float(np.linalg.norm(across)) <= FLAT:
        across = np.cross(T_world_tool[:3, 1], z)
    x = unit(across, "the tool has no direction")
    return make_transform(np.column_stack([x, np.cross(z, x), z]), at)


def _nearest(spots: Iterable[Spot], place: Array) -> Spot:
    return min(spots, key=lambda spot: math.dist(spot.point, place))


def _faces(box: PlacedBox, place: Array) -> Iterator[_BoxFace]:
    for axis in range(3):
        for sign in (1.0, -1.0):
            yield _BoxFace(box.nearest(place, {axis: sign}), sign * box.T_world_box[:3, axis])


def _edges(box: PlacedBox, place: Array) -> Iterator[_BoxEdge]:
    R = box.T_world_box[:3, :3]
    for along, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        for a in (1.0, -1.0):
            for b in (1.0, -1.0):
                up, out = sorted((a * R[:, j], b * R[:, k]), key=lambda normal: -float(normal[2]))
                yield _BoxEdge(box.nearest(place, {j: a, k: b}), up, R[:, along], out)
