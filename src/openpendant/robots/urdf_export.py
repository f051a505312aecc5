"""Writes a robot as URDF: every link, joint, frame and carried tool, with full float precision."""

import math
from collections.abc import Callable, Iterable
from xml.etree import ElementTree

from .tree import Edge, Node, Tree

Element = ElementTree.Element


def encode_urdf(name: str, tree: Tree, mesh: Callable[[str], str] | None) -> str:
    """Return the URDF text of a robot.

    Frames become links without a body. Joints that follow others (the second finger of a gripper)
    carry `mimic`.

    Args:
        name: Name of the robot.
        tree: What it consists of.
        mesh: From a link to the address of its mesh; None: without visuals.
    """
    robot = ElementTree.Element("robot", name=name)
    for node in tree.nodes.values():
        _add_link(robot, node, mesh)
    for edge in tree.edges:
        _add_joint(robot, edge)
    ElementTree.indent(robot, "  ")
    text = ElementTree.tostring(robot, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _add_link(robot: Element, node: Node, mesh: Callable[[str], str] | None) -> None:
    link = ElementTree.SubElement(robot, "link", name=node.name)
    if node.mass > 0.0:
        inertial = ElementTree.SubElement(link, "inertial")
        ElementTree.SubElement(inertial, "origin", xyz=_numbers(node.com), rpy="0 0 0")
        ElementTree.SubElement(inertial, "mass", value=_number(node.mass))
        ixx, iyy, izz, ixy, ixz, iyz = map(_number, node.inertia)
        ElementTree.SubElement(inertial, "inertia", ixx=ixx, ixy=ixy, ixz=ixz, iyy=iyy, iyz=iyz, izz=izz)
    if node.visual and mesh is not None:
        visual = ElementTree.SubElement(link, "visual")
        geometry = ElementTree.SubElement(visual, "geometry")
        ElementTree.SubElement(geometry, "mesh", filename=mesh(node.name))


def _add_joint(robot: Element, edge: Edge) -> None:
    joint = ElementTree.SubElement(robot, "joint", name=edge.name, type=edge.kind)
    ElementTree.SubElement(joint, "parent", link=edge.parent)
    ElementTree.SubElement(joint, "child", link=edge.child)
    ElementTree.SubElement(joint, "origin", xyz=_numbers(edge.xyz), rpy=_numbers(edge.rpy))
    if not edge.moves:
        return
    ElementTree.SubElement(joint, "axis", xyz=_numbers(float(value) for value in edge.axis))
    limit = ElementTree.SubElement(joint, "limit")
    if math.isfinite(edge.lower) and math.isfinite(edge.upper):
        limit.set("lower", _number(edge.lower))
        limit.set("upper", _number(edge.upper))
    # The format demands both; zero is its usual way to say that a value is not known.
    limit.set("effort", _number(edge.effort or 0.0))
    limit.set("velocity", _number(edge.velocity or 0.0))
    if edge.mimic is not None:
        ElementTree.SubElement(
            joint,
            "mimic",
            joint=edge.mimic.joint,
            multiplier=_number(edge.mimic.multiplier),
            offset=_number(edge.mimic.offset),
        )


def _numbers(values: Iterable[float]) -> str:
    return " ".join(map(_number, values))


def _number(value: float) -> str:
    """Write all digits, so that whoever reads it computes with the same number."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
