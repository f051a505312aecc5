"""Taking parts and letting them go: what is between the fingers, what a part rests on, where it falls."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.errors import InputError
from openpendant.scene.placement import PlacedArm, Scene
from openpendant.spatial import make_transform, matrix_from_rpy

from .bodies import Body
from .carriers import bodies_of_shape
from .collision_world import CollisionWorld
from .kernels.fall import fall, mark_near
from .kernels.gjk import distance
from .kernels.rows import KIND_CORNERS

Array = NDArray[np.float64]

FLOOR = "floor"
LIFT_M = 0.002
"""A part let go this deep in its support is put on top of it."""
TOUCHING_M = 0.002
PAD_RADIUS_M = 0.002
REACH_M = 0.005
"""A tool without fingers takes what is this near to its TCP."""


@dataclass(frozen=True, slots=True)
class Grip:
    """A part that a tool would grasp, and how far its fingers close."""

    part: str
    opening_m: float


def find_grip(world: CollisionWorld, arm: str, q: ArrayLike) -> Grip | None:
    """Return the graspable object that is between the fingers of an arm, or at the TCP of a tool without fingers.

    Args:
        world: Of the scene now.
        arm: robot/arm, or the robot where it has one arm.
        q: (n,) its joints.

    Raises:
        InputError: Bad joints or an unknown arm.
    """
    scene = world.scene
    placed = scene.arm(arm)
    T = placed.T_world_tcp(q)
    axes = _finger_axes(placed, q)
    opening = scene.opening(placed.key)
    ends = [T[:3, 3] + axis * opening for axis in axes] or [T[:3, 3]]
    probe = _probe(np.array(ends), PAD_RADIUS_M if axes else REACH_M)
    best: tuple[float, str, float] | None = None
    for name, item in scene.objects.items():
        if not item.graspable or not item.collides or name in scene.carried:
            continue
        bodies = bodies_of_shape(item.shape, None, scene.T_world(name), scene.folder)
        if min(_gap(probe, body) for body in bodies) > 0.0:
            continue
        middle = min(_gap(_probe(T[None, :3, 3], 0.0), body) for body in bodies)
        needed = max((body.farthest(axis) - float(T[:3, 3] @ axis) for body in bodies for axis in axes), default=0.0)
        if best is None or middle < best[0]:
            best = (middle, name, min(max(needed, 0.0), opening))
    return None if best is None else Grip(best[1], best[2])


def attach_part(world: CollisionWorld, part: str, arm: str, q: ArrayLike) -> Scene:
    """Return the scene with a part in an arm's hand; what it rests on is remembered.

    Raises:
        InputError: The part is fixed or in a hand already.
    """
    return world.scene.attach(part, arm, q, resting_on(world, part))


def resting_on(world: CollisionWorld, part: str) -> tuple[str, ...]:
    """Return the names of all standing things that an object touches now, or nearly does (2 mm)."""
    owner = _owner(world, part)
    marks = np.zeros(len(world.layout.standing_owners), dtype=np.uint8)
    mark_near(world.layout.tables, owner, TOUCHING_M, marks)
    return tuple(name for name, mark in zip(world.layout.standing_owners, marks.tolist(), strict=True) if mark)


def settle(world: CollisionWorld, part: str) -> tuple[Scene, str]:
    """Let an object that was let go come to rest: straight down onto what is below it, or onto the floor (z = 0).

    It keeps its orientation; it does not tip over an edge.

    Args:
        world: Of the scene in which the object is not held by any arm.
        part: The object.

    Returns:
        The scene, and the name of what it rests on; `floor` where that is not an object.

    Raises:
        InputError: The object is in a hand.
    """
    scene = world.scene
    owner = _owner(world, part)
    tables = world.layout.tables
    below = np.empty(1, dtype=np.int64)
    way = fall(tables, owner, LIFT_M, below)
    stopper = world.layout.standing_owners[int(below[0])] if below[0] >= 0 else FLOOR
    if way < 0.0:
        return scene, stopper
    bodies = [body.body for body in world.layout.standing_bodies if body.owner == part]
    height = min(-body.farthest(np.array([0.0, 0.0, -1.0])) for body in bodies) + LIFT_M
    if height < 0.0:
        return scene, stopper if np.isfinite(way) else FLOOR
    if height < way:
        way, stopper = height, FLOOR
    T = scene.T_world(part)
    T[2, 3] += LIFT_M - way
    return scene.with_pose(part, T), stopper


def _owner(world: CollisionWorld, part: str) -> int:
    if part in world.scene.carried:
        raise InputError(f"{part!r} is held by {world.scene.carried[part].arm}")
    if part not in world.layout.standing_owners:
        world.scene.T_world(part)
        raise InputError(f"{part!r} has no body that can touch anything")
    return world.layout.standing_owners.index(part)


def _finger_axes(placed: PlacedArm, q: ArrayLike) -> list[Array]:
    """Return the way each finger opens, in the world."""
    R = placed.T_world_flange(q)[:3, :3]
    axes: list[Array] = []
    for finger in placed.fingers:
        axis = R @ matrix_from_rpy(*np.radians(finger.rpy_deg)) @ np.array(finger.axis)
        axes.append(axis / np.linalg.norm(axis))
    return axes


def _probe(ends: Array, radius: float) -> Body:
    middle = ends.mean(axis=0)
    return Body(KIND_CORNERS, make_transform(None, middle), radius=radius, corners=np.ascontiguousarray(ends - middle))


def _gap(a: Body, b: Body) -> float:
    corners = np.ascontiguousarray(np.concatenate([a.corners, b.corners]))
    ints_a = np.array([a.kind, 0, len(a.corners), 0, -1], dtype=np.int64)
    ints_b = np.array([b.kind, len(a.corners), len(b.corners), 0, -1], dtype=np.int64)
    rows = a.row(), b.row()
    return float(
        distance(rows[0], ints_a, rows[0], rows[1], ints_b, rows[1], corners, np.inf, np.empty((14, 4)), np.empty(6))
    )
