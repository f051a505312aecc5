"""Overlaps: which bodies are in each other and how deep, by coal.

The kernels know how far bodies are apart; coal also knows how deep they are in each other. One manager holds what
stands, built once; another what moves.
"""

from typing import Any, cast

import coal as _coal  # pyright: ignore[reportMissingImports, reportMissingTypeStubs]
import numpy as np
from numpy.typing import NDArray

from .bodies import Body
from .kernels.placement import place_bodies
from .kernels.rows import JOINT, KIND_BOX, KIND_CYLINDER, OWNER, SKIPPED
from .nearness import Contact
from .tables import SLIDING, SceneLayout

Array = NDArray[np.float64]
coal = cast(Any, _coal)
MOST_CONTACTS = 10_000


class Overlaps:
    """The bodies of a layout as coal has them."""

    def __init__(self, layout: SceneLayout) -> None:
        """Make both managers."""
        self._layout = layout
        self._standing = [_object(b.body, row, b.body.T) for row, b in enumerate(layout.standing_bodies)]
        self._moving = [_object(b.body, row, np.eye(4)) for row, b in enumerate(layout.moving_bodies)]
        self._environment = coal.DynamicAABBTreeCollisionManager()
        self._robots = coal.DynamicAABBTreeCollisionManager()
        for manager, objects in ((self._environment, self._standing), (self._robots, self._moving)):
            for obj in objects:
                manager.registerObject(obj)
            manager.setup()

    def contacts(self, q: Array, active: NDArray[np.uint8]) -> tuple[Contact, ...]:
        """Return every overlapping pair of owners at a configuration, deepest first."""
        tables = self._layout.tables
        frames, places = np.empty((len(tables.joint_floats), 12)), np.empty((len(tables.moving), 12))
        place_bodies(tables.joint_floats, tables.joint_ints, tables.moving, tables.moving_ints, q, frames, places)
        for obj, place in zip(self._moving, places, strict=True):
            obj.setTransform(coal.Transform3s(place[:9].reshape(3, 3), place[9:]))
            obj.computeAABB()
        self._robots.update()
        found = [*self._with_standing(active), *self._among_moving(active)]
        deepest: dict[tuple[str, str], Contact] = {}
        for contact in found:
            key = (contact.a, contact.b)
            if key not in deepest or deepest[key].depth_m < contact.depth_m:
                deepest[key] = contact
        return tuple(sorted(deepest.values(), key=lambda contact: (-contact.depth_m, contact.a, contact.b)))

    def _with_standing(self, active: NDArray[np.uint8]) -> list[Contact]:
        tables, layout = self._layout.tables, self._layout
        callback = coal.CollisionCallBackDefault()
        callback.data.request.num_max_contacts = MOST_CONTACTS
        callback.data.request.enable_contact = True
        self._robots.collide(self._environment, callback)
        out: list[Contact] = []
        for raw in callback.data.result.getContacts():
            first, second = _row(raw.o1), _row(raw.o2)
            flip = first[0]
            a, b = (second[1], first[1]) if flip else (first[1], second[1])
            owner, other = tables.moving_ints[a, OWNER], tables.standing_ints[b, OWNER]
            if active[self._arm(a)] and tables.skip[owner, other] != SKIPPED:
                names = layout.moving_bodies[a].owner, layout.standing_bodies[b].owner
                out.append(_contact(*names, raw, flip=flip))
        return out

    def _among_moving(self, active: NDArray[np.uint8]) -> list[Contact]:
        request = coal.CollisionRequest()
        request.enable_contact = True
        out: list[Contact] = []
        for a, b, _ in cast(list[list[int]], self._layout.tables.pairs.tolist()):
            if active[self._arm(a)] or active[self._arm(b)]:
                first, second = self._moving[a], self._moving[b]
                if not first.getAABB().overlap(second.getAABB()):
                    continue
                result = coal.CollisionResult()
                coal.collide(first, second, request, result)
                names = self._layout.moving_bodies[a].owner, self._layout.moving_bodies[b].owner
                out += [_contact(*names, raw, flip=False) for raw in result.getContacts()]
        return out

    def _arm(self, row: int) -> int:
        tables = self._layout.tables
        return int(tables.joint_ints[tables.moving_ints[row, JOINT], 2])


STANDING = 1e9


def _object(body: Body, row: int, T: Array) -> Any:
    geometry = _geometry(body)
    # coal hands back geometries, not objects, and this number travels with them: it says which row it is.
    geometry.cost_density = float(row) if T is not body.T else STANDING + row
    obj = coal.CollisionObject(geometry, coal.Transform3s(T[:3, :3], T[:3, 3]))
    obj.computeAABB()
    return obj


def _row(geometry: Any) -> tuple[bool, int]:
    """Return whether a geometry stands, and its row."""
    number = float(geometry.cost_density)
    return (True, int(number - STANDING)) if number >= STANDING else (False, int(number))


def _geometry(body: Body) -> Any:
    """Return the coal geometry of a body, in the body's own frame (of a capsule, z is the axis)."""
    x, y, z = body.half
    if body.kind == KIND_BOX:
        made = coal.Box(2 * x, 2 * y, 2 * z)
    elif body.kind == KIND_CYLINDER:
        made = coal.Cylinder(x, 2 * z)
    elif len(body.corners) == 1:
        return coal.Sphere(body.radius)
    elif len(body.corners) == 2:
        return coal.Capsule(body.radius, 2 * float(body.corners[1, 2]))
    else:
        points = coal.StdVec_Vec3s()
        for corner in body.corners:
            points.append(corner)
        made = coal.Convex.convexHull(points, False, None)  # noqa: FBT003 - coal names no arguments
    made.setSweptSphereRadius(body.radius)
    return made


def _contact(a: str, b: str, raw: Any, *, flip: bool) -> Contact:
    normal = np.array(raw.normal, dtype=np.float64).reshape(3)
    return Contact(
        a.removesuffix(SLIDING),
        b.removesuffix(SLIDING),
        max(0.0, -float(raw.penetration_depth)),
        np.array(raw.pos, dtype=np.float64).reshape(3),
        -normal if flip else normal,
    )
