"""The same bodies in python-fcl and coal, and by plain sampling."""

from typing import Any

import coal
import fcl
import numpy as np

from openpendant.scene.collision.bodies import Body
from openpendant.scene.collision.collision_world import CollisionWorld
from openpendant.scene.collision.kernels.gjk import distance
from openpendant.scene.collision.kernels.placement import place_bodies
from openpendant.scene.collision.kernels.rows import KIND_BOX, KIND_CYLINDER, SKIPPED
from openpendant.scene.collision.overlap import _geometry
from openpendant.shapes.foreign import ConvexBody


def our_distance(a: Body, b: Body, enough: float = np.inf) -> tuple[float, np.ndarray]:
    corners = np.ascontiguousarray(np.concatenate([a.corners, b.corners, np.zeros((1, 3))]))
    ints_a = np.array([a.kind, 0, len(a.corners), 0, -1])
    ints_b = np.array([b.kind, len(a.corners), len(b.corners), 0, -1])
    row_a, row_b, points = a.row(), b.row(), np.full(6, np.nan)
    d = distance(row_a, ints_a, row_a, row_b, ints_b, row_b, corners, enough, np.empty((14, 4)), points)
    return d, points


def coal_distance(a: Body, b: Body) -> float:
    objects = [coal.CollisionObject(_geometry(x), coal.Transform3s(x.T[:3, :3], x.T[:3, 3])) for x in (a, b)]
    return float(coal.distance(*objects, coal.DistanceRequest(), coal.DistanceResult()))


def fcl_object(body: Body, place: np.ndarray | None = None) -> Any:
    """The body in python-fcl; `place` (12,) instead of its own frame."""
    R, p = (body.T[:3, :3], body.T[:3, 3]) if place is None else (place[:9].reshape(3, 3), place[9:])
    x, y, z = body.half
    if body.kind == KIND_BOX:
        shape = fcl.Box(2 * x, 2 * y, 2 * z)
    elif body.kind == KIND_CYLINDER:
        shape = fcl.Cylinder(x, 2 * z)
    elif len(body.corners) == 1:
        shape = fcl.Sphere(body.radius)
    elif len(body.corners) == 2:
        shape = fcl.Capsule(body.radius, 2 * float(body.corners[1, 2]))
    else:
        hull = ConvexBody(body.corners)
        faces = np.concatenate([np.full((len(hull.faces), 1), 3), outward(body.corners, hull)], axis=1).ravel()
        shape = fcl.Convex(body.corners, len(hull.faces), faces)
    return fcl.CollisionObject(shape, fcl.Transform(R, p))


def outward(corners: np.ndarray, hull: ConvexBody) -> np.ndarray:
    faces = hull.faces.copy()
    a, b, c = (corners[faces[:, k]] for k in range(3))
    flip = (np.cross(b - a, c - a) * hull.planes[:, :3]).sum(axis=1) < 0
    faces[flip] = faces[flip][:, ::-1]
    return faces


class FclWorld:
    """A collision world in python-fcl: one manager for what stands, one for what moves, self pairs one by one."""

    def __init__(self, world: CollisionWorld) -> None:
        self.layout = world.layout
        self.standing = [fcl_object(b.body) for b in self.layout.standing_bodies]
        self.moving = [fcl_object(b.body) for b in self.layout.moving_bodies]
        tables = self.layout.tables
        # fcl's managers know nothing of pairs that may touch: links that have any are held apart by hand.
        own = {int(o) for o in np.flatnonzero((tables.skip == SKIPPED).any(axis=0))}
        self.by_hand = [
            (s, o)
            for s in range(len(self.moving))
            for o in range(len(self.standing))
            if tables.standing_ints[o, 3] in own
            and tables.skip[tables.moving_ints[s, 3], tables.standing_ints[o, 3]] != SKIPPED
        ]
        self.environment = fcl.DynamicAABBTreeCollisionManager()
        self.environment.registerObjects(
            [x for o, x in enumerate(self.standing) if tables.standing_ints[o, 3] not in own]
        )
        self.environment.setup()
        self.robots = fcl.DynamicAABBTreeCollisionManager()
        self.robots.registerObjects(self.moving)
        self.robots.setup()

    def place(self, q: np.ndarray) -> None:
        t = self.layout.tables
        frames, places = np.empty((len(t.joint_floats), 12)), np.empty((len(t.moving), 12))
        place_bodies(t.joint_floats, t.joint_ints, t.moving, t.moving_ints, q, frames, places)
        for obj, place in zip(self.moving, places, strict=True):
            obj.setTransform(fcl.Transform(place[:9].reshape(3, 3), place[9:]))
        self.robots.update()

    def touches_environment(self, q: np.ndarray) -> bool:
        """Manager against manager, nothing in Python but the placing."""
        self.place(q)
        data = fcl.CollisionData(fcl.CollisionRequest(num_max_contacts=1))
        self.environment.collide(self.robots, data, fcl.defaultCollisionCallback)
        return bool(data.result.is_collision)

    def collides(self, q: np.ndarray) -> bool:
        if self.touches_environment(q):
            return True
        pairs = [(self.moving[a], self.moving[b]) for a, b, _ in self.layout.tables.pairs]
        pairs += [(self.moving[s], self.standing[o]) for s, o in self.by_hand]
        return any(fcl.collide(a, b, fcl.CollisionRequest(), fcl.CollisionResult()) for a, b in pairs)
