"""Collision: distances and collisions of a scene, at configurations and along paths; grips and falls."""

from .carriers import bodies_of_shape
from .collision_world import CollisionWorld, Joints
from .grip import FLOOR, Grip, attach_part, find_grip, resting_on, settle
from .meshes import MeshParts, convex_parts
from .nearness import Clearance, Collision, Contact, Nearest
from .probe import ArmProbe
from .self_collision import LinkPair, link_pairs

__all__ = [
    "FLOOR",
    "ArmProbe",
    "Clearance",
    "Collision",
    "CollisionWorld",
    "Contact",
    "Grip",
    "Joints",
    "LinkPair",
    "MeshParts",
    "Nearest",
    "attach_part",
    "bodies_of_shape",
    "convex_parts",
    "find_grip",
    "link_pairs",
    "resting_on",
    "settle",
]
