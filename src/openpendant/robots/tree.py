"""Tree: every body and frame of a robot and what connects them, in SI and radians."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import UnknownNameError
from openpendant.spatial import inverse, make_transform, matrix_from_rotation_vector, matrix_from_rpy

from .facts import JointFacts, MimicFacts, RobotFacts, ToolFacts, Vec3, Vec6

Array = NDArray[np.float64]
Kind = Literal["revolute", "continuous", "prismatic", "fixed"]
NO_MASS: Vec6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Node:
    """A link or a frame."""

    name: str
    visual: bool = False
    mass: float = 0.0
    com: Vec3 = (0.0, 0.0, 0.0)
    inertia: Vec6 = NO_MASS
    """ixx iyy izz ixy ixz iyz about the centre of mass."""


@dataclass(frozen=True, eq=False)
class Edge:
    """What connects a node to its parent. Radians, or metres where it slides."""

    name: str
    kind: Kind
    parent: str
    child: str
    xyz: Vec3
    rpy: Vec3
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    """Unit vector in the child's frame."""
    title: str = ""
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float | None = None
    acceleration: float | None = None
    effort: float | None = None
    mimic: MimicFacts | None = None
    T_parent_child: Array = field(init=False)
    """At zero."""

    def __post_init__(self) -> None:
        """Compose the transform once."""
        R = matrix_from_rpy(*self.rpy)
        # A quarter turn is meant exactly; cos(pi/2) is not zero in floating point.
        R[np.abs(R) < 1e-15] = 0.0
        T = make_transform(R, self.xyz)
        T.setflags(write=False)
        object.__setattr__(self, "T_parent_child", T)

    @property
    def moves(self) -> bool:
        """True for every joint that is not fixed."""
        return self.kind != "fixed"

    def at(self, q: float) -> Array:
        """Return T_parent_child with the joint at `q`."""
        if self.kind == "fixed":
            return self.T_parent_child
        if self.kind == "prismatic":
            return self.T_parent_child @ make_transform(None, self.axis * q)
        return self.T_parent_child @ make_transform(matrix_from_rotation_vector(self.axis * q))


@dataclass(frozen=True)
class Tree:
    """All nodes of a robot, root first, and the edge that leads to each of the others."""

    root: str
    nodes: Mapping[str, Node]
    edge_to: Mapping[str, Edge]
    """By the name of the child; parents come before their children."""

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Return all edges, parents before children."""
        return tuple(self.edge_to.values())

    def edge(self, joint: str) -> Edge:
        """Return the edge of a joint by its name; raises UnknownNameError."""
        for edge in self.edge_to.values():
            if edge.name == joint:
                return edge
        raise UnknownNameError("joint", joint, (edge.name for edge in self.edge_to.values()))

    def path(self, ancestor: str, node: str) -> tuple[Edge, ...] | None:
        """Return the edges from `ancestor` down to `node`, or None where `node` does not hang on it."""
        edges: list[Edge] = []
        while node != ancestor:
            edge = self.edge_to.get(node)
            if edge is None:
                return None
            edges.append(edge)
            node = edge.parent
        return tuple(reversed(edges))

    def poses(self, joints: Mapping[str, float]) -> dict[str, Array]:
        """Return the pose of every node in the root, with the joints given by name (others at zero)."""
        T_root: dict[str, Array] = {self.root: np.eye(4)}
        for child, edge in self.edge_to.items():
            q = joints.get(edge.name, 0.0)
            if edge.mimic is not None:
                q = edge.mimic.multiplier * joints.get(edge.mimic.joint, 0.0) + edge.mimic.offset
            T_root[child] = T_root[edge.parent] @ edge.at(q)
        return T_root

    def rigid_with(self, node: str) -> dict[str, Array]:
        """Return every node that no joint can move against `node`, and its pose in it."""
        up = node
        T_up_node = np.eye(4)
        while (edge := self.edge_to.get(up)) is not None and not edge.moves:
            T_up_node = edge.T_parent_child @ T_up_node
            up = edge.parent
        found = {up: inverse(T_up_node)}
        for child, edge in self.edge_to.items():
            if edge.parent in found and not edge.moves:
                found[child] = found[edge.parent] @ edge.T_parent_child
        return found


def grow_tree(facts: RobotFacts) -> Tree:
    """Return the tree of a robot with the tools its arms carry; `facts` are checked already."""
    nodes = {
        link.name: Node(link.name, link.visual, link.mass_kg, link.com_m, link.inertia_kg_m2) for link in facts.links
    }
    edges = [_joint_edge(joint) for joint in facts.joints]
    for frame in facts.frames:
        nodes[frame.name] = Node(frame.name)
        edges.append(_fixed(frame.name, frame.parent, frame.xyz_m, _radians(frame.rpy_deg)))
    tools = {tool.name: tool for tool in facts.tools}
    for arm in facts.arms:
        if arm.tool:
            _mount(tools[arm.tool], arm.flange, nodes, edges)
    return _in_order(facts.root, nodes, edges)


def _mount(tool: ToolFacts, flange: str, nodes: dict[str, Node], edges: list[Edge]) -> None:
    nodes[tool.link] = Node(tool.link, True, tool.mass_kg, tool.com_m, tool.inertia_kg_m2)  # noqa: FBT003
    edges.append(_fixed(tool.link, flange))
    nodes[tool.tcp] = Node(tool.tcp)
    edges.append(_fixed(tool.tcp, tool.link, tool.tcp_xyz_m, _radians(tool.tcp_rpy_deg)))
    for finger in tool.fingers:
        nodes[finger.link] = Node(finger.link, True, finger.mass_kg, finger.com_m, finger.inertia_kg_m2)  # noqa: FBT003
        leader = tool.fingers[0].joint
        edges.append(
            Edge(
                name=finger.joint,
                kind="prismatic",
                parent=tool.link,
                child=finger.link,
                xyz=finger.xyz_m,
                rpy=_radians(finger.rpy_deg),
                axis=_unit(finger.axis),
                title="Gripper",
                lower=0.0,
                upper=finger.travel_m,
                velocity=finger.velocity_m_s,
                mimic=None if finger.joint == leader else MimicFacts(joint=leader),
            )
        )


def _joint_edge(joint: JointFacts) -> Edge:
    rpy = _radians(joint.rpy_deg) if joint.rpy_rad is None else joint.rpy_rad
    if joint.kind == "fixed":
        return _fixed(joint.child, joint.parent, joint.xyz_m, rpy, name=joint.name)
    slides = joint.kind == "prismatic"
    if joint.kind == "continuous":
        lower, upper = -math.inf, math.inf
    elif slides:
        lower, upper = joint.limits_m or (-math.inf, math.inf)
    else:
        lower, upper = (math.radians(limit) for limit in joint.limits_deg or (-math.inf, math.inf))
    return Edge(
        name=joint.name,
        kind=joint.kind,
        parent=joint.parent,
        child=joint.child,
        xyz=joint.xyz_m,
        rpy=rpy,
        axis=_unit(joint.axis),
        title=joint.title or joint.name,
        lower=lower,
        upper=upper,
        velocity=joint.velocity_m_s if slides else _to_radians(joint.velocity_deg_s),
        acceleration=joint.acceleration_m_s2 if slides else _to_radians(joint.acceleration_deg_s2),
        effort=joint.effort,
        mimic=joint.mimic,
    )


def _fixed(
    child: str, parent: str, xyz: Vec3 = (0.0, 0.0, 0.0), rpy: Vec3 = (0.0, 0.0, 0.0), name: str | None = None
) -> Edge:
    return Edge(name=name or f"{parent}-{child}", kind="fixed", parent=parent, child=child, xyz=xyz, rpy=rpy)


def _in_order(root: str, nodes: dict[str, Node], edges: list[Edge]) -> Tree:
    children: dict[str, list[Edge]] = {}
    for edge in edges:
        children.setdefault(edge.parent, []).append(edge)
    ordered: dict[str, Edge] = {}
    waiting = list(reversed(children.get(root, [])))
    while waiting:
        edge = waiting.pop()
        ordered[edge.child] = edge
        waiting.extend(reversed(children.get(edge.child, [])))
    return Tree(root, {name: nodes[name] for name in (root, *ordered)}, ordered)


def _unit(axis: Vec3) -> Array:
    vector = np.array(axis, dtype=np.float64)
    vector /= np.linalg.norm(vector)
    vector.setflags(write=False)
    return vector


def _radians(degrees: Vec3) -> Vec3:
    return math.radians(degrees[0]), math.radians(degrees[1]), math.radians(degrees[2])


def _to_radians(degrees: float | None) -> float | None:
    return None if degrees is None else math.radians(degrees)
