"""What carries which body: links of robots, tools and parts on joints, everything else in the world."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from openpendant.messages import Pose
from openpendant.robots import Robot
from openpendant.scene.document import MeshShape, Shape
from openpendant.scene.placement import PlacedArm, Scene, transform_of
from openpendant.spatial import translation

from .bodies import Body, body_of_collision, body_of_shape
from .meshes import convex_parts

Array = NDArray[np.float64]

_of_links: "WeakKeyDictionary[Robot, dict[str, tuple[Body, ...]]]" = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBody:
    """A body and what carries it."""

    owner: str
    """Whose body it is: robot/link, or the name of an object."""
    arm: str
    """robot/arm whose joint carries it; empty: it stands in the world."""
    joint: int
    """The joint, counted from the arm's base; -1: the world."""
    body: Body
    """In the frame of that joint after turning, or in the world."""


def bodies_of_shape(shape: Shape, pose: Pose | None, T: Array, folder: Path | None) -> tuple[Body, ...]:
    """Return the bodies of a shape of a cell; `T` places it (after `pose`, where given).

    Raises:
        CellFileError: A mesh file cannot be used.
    """
    T = T if pose is None else T @ transform_of(pose)
    if isinstance(shape, MeshShape):
        parts = convex_parts((folder or Path()) / shape.file, shape.scale)
        return tuple(body_of_collision(part).moved(T) for part in parts.shapes)
    return (body_of_shape(shape, T),)


def robot_bodies(scene: Scene, name: str) -> Iterator[PlacedBody]:
    """Yield the bodies of a robot's links, without catalogue tools that its arms do not carry.

    Args:
        scene: Says where the robot stands and how far its fingers are open.
        name: The robot's name in the cell.
    """
    robot = scene.robots[name]
    arms = [arm for arm in scene.arms.values() if arm.robot == name]
    openings = {finger.joint: scene.opening(arm.key) for arm in arms for finger in arm.fingers}
    left_out = _all_tool_links(robot) - {link for arm in arms for link in arm.tool_links}
    T_world_root = scene.frames[name]
    for link, bodies in _link_bodies(robot).items():
        if link in left_out:
            continue
        arm, joint, T = _carrier(robot, arms, link, openings)
        T = T if joint >= 0 else T_world_root @ T
        for body in bodies:
            yield PlacedBody(f"{name}/{link}", arm, joint, body.moved(T))


def tool_bodies(scene: Scene, arm: PlacedArm) -> Iterator[PlacedBody]:
    """Yield the bodies of a tool with parts of its own."""
    if arm.tool is None or not arm.tool.parts:
        return
    last = arm.kinematics.dof - 1
    share = scene.opening(arm.key) / arm.travel_m if arm.travel_m > 0.0 else 0.0
    for part in arm.tool.parts:
        # Fingers of different travel open by the same length, which is the least that one of them has.
        length = float(np.linalg.norm(part.opens_m))
        by = share * arm.travel_m / length if length > 0.0 else 0.0
        x, y, z = (by * value for value in part.opens_m)
        T = arm.kinematics.chain.T_last_flange @ translation(x, y, z)
        for body in bodies_of_shape(part.shape, part.pose, T, scene.folder):
            yield PlacedBody(f"{arm.robot}/{arm.tool.name}", arm.key, last, body)


def _carrier(robot: Robot, arms: list[PlacedArm], link: str, openings: dict[str, float]) -> tuple[str, int, Array]:
    """Return the arm and joint that carry a link and its pose in that joint; in the root where none does."""
    owners = {joint: arm for arm in arms for joint in arm.kinematics.chain.names}
    T = np.eye(4)
    node = link
    while (edge := robot.tree.edge_to.get(node)) is not None:
        if edge.name in owners:
            chain = owners[edge.name].kinematics.chain
            index = chain.names.index(edge.name)
            return owners[edge.name].key, int(np.flatnonzero(chain.order == index)[0]), T
        T = edge.at(openings.get(edge.name, 0.0)) @ T
        node = edge.parent
    return "", -1, T


def _link_bodies(robot: Robot) -> dict[str, tuple[Body, ...]]:
    found = _of_links.get(robot)
    if found is None:
        found = {
            link: tuple(body_of_collision(shape) for shape in shapes) for link, shapes in robot.collision().items()
        }
        _of_links[robot] = found
    return found


def _all_tool_links(robot: Robot) -> set[str]:
    return {link for tool in robot.facts.tools for link in (tool.link, *(finger.link for finger in tool.fingers))}
