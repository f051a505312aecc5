"""From a URDF file to a checked `UrdfModel`."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from openpendant.errors import RobotFileError
from openpendant.robots.validation import SAFE_NAME
from openpendant.said import Said, say
from openpendant.spatial import make_transform, matrix_from_rpy

from .elements import Element, open_urdf
from .model import Ball, Block, Geometry, MeshFile, Rod, UrdfJoint, UrdfLink, UrdfModel, UrdfShape

Array = NDArray[np.float64]
KINDS = ("revolute", "continuous", "prismatic", "fixed")
MAX_LINKS = 2000


def parse_urdf(path: Path) -> UrdfModel:
    """Return what a URDF file says.

    Raises:
        RobotFileError: Names file, line and element of the first fault.
    """
    robot = open_urdf(path)
    name = robot.text("name")
    colors = {material.text("name"): color for material in robot.named("material") if (color := _color(material, {}))}
    links: dict[str, UrdfLink] = {}
    for element in robot.named("link"):
        link = _link(element, colors)
        _check_name(element, link.name, links)
        links[link.name] = link
    joints: dict[str, UrdfJoint] = {}
    for element in robot.named("joint"):
        joint = _joint(element, links)
        _check_name(element, joint.name, joints)
        joints[joint.name] = joint
    if not links:
        raise robot.fault(say("urdf.no_links"))
    if len(links) > MAX_LINKS:
        raise robot.fault(say("urdf.many_links", count=len(links), most=MAX_LINKS))
    _check_mimics(joints, path)
    return UrdfModel(name, _find_root(links, joints, path), links, joints)


def _check_name(element: Element, name: str, known: Iterable[str]) -> None:
    if name in known:
        raise element.fault(say("urdf.name_twice"))
    if not SAFE_NAME.fullmatch(name):
        raise element.fault(say("urdf.name"))


def _link(element: Element, colors: dict[str, str]) -> UrdfLink:
    mass, com, inertia = 0.0, (0.0, 0.0, 0.0), np.zeros((3, 3))
    inertial = element.one("inertial")
    if inertial is not None:
        mass = inertial.need("mass").number("value")
        if mass < 0.0:
            raise inertial.fault(say("urdf.negative", name="mass", value=f"{mass:g}"))
        T = _origin(inertial)
        com = (float(T[0, 3]), float(T[1, 3]), float(T[2, 3]))
        tensor = inertial.one("inertia")
        if tensor is not None:
            inertia = T[:3, :3] @ _tensor(tensor) @ T[:3, :3].T
    return UrdfLink(
        name=element.text("name"),
        line=element.line,
        mass=mass,
        com=com,
        inertia=inertia,
        visuals=tuple(_shape(shape, colors) for shape in element.all("visual")),
        collisions=tuple(_shape(shape, colors) for shape in element.all("collision")),
    )


def _tensor(element: Element) -> Array:
    xx, yy, zz, xy, xz, yz = (element.number(f"i{which}", 0.0) for which in ("xx", "yy", "zz", "xy", "xz", "yz"))
    if min(xx, yy, zz) < 0.0:
        raise element.fault(say("urdf.negative_inertia"))
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _shape(element: Element, colors: dict[str, str]) -> UrdfShape:
    material = element.one("material")
    return UrdfShape(
        geometry=_geometry(element.need("geometry")),
        T_link_shape=_origin(element),
        color=None if material is None else _color(material, colors),
        line=element.line,
    )


def _geometry(element: Element) -> Geometry:
    for mesh in element.all("mesh"):
        return MeshFile(mesh.text("filename"), mesh.numbers("scale", (1.0, 1.0, 1.0)))
    for box in element.all("box"):
        size = box.numbers("size", (0.0, 0.0, 0.0))
        if min(size) <= 0.0:
            raise box.fault(say("urdf.box_size"))
        return Block(size)
    for tag in ("cylinder", "capsule"):
        for rod in element.all(tag):
            return Rod(_positive(rod, "radius"), _positive(rod, "length"), round_ends=tag == "capsule")
    for sphere in element.all("sphere"):
        return Ball(_positive(sphere, "radius"))
    raise element.fault(say("urdf.no_geometry"))


def _positive(element: Element, attribute: str) -> float:
    value = element.number(attribute)
    if value <= 0.0:
        raise element.fault(say("urdf.not_positive", attribute=attribute, value=f"{value:g}"))
    return value


def _color(element: Element, known: dict[str, str]) -> str | None:
    color = element.one("color")
    if color is None:
        return known.get(element.node.attributes.get("name", ""))
    words = color.text("rgba").split()
    try:
        channels = [round(255 * min(max(float(word), 0.0), 1.0)) for word in words[:3]]
    except (ValueError, OverflowError):
        channels = []
    if len(words) != 4 or len(channels) != 3:
        raise color.fault(say("urdf.four_numbers", attribute="rgba", text=color.text("rgba")))
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _origin(element: Element) -> Array:
    origin = element.one("origin")
    if origin is None:
        return np.eye(4)
    zero = (0.0, 0.0, 0.0)
    return make_transform(matrix_from_rpy(*origin.numbers("rpy", zero)), origin.numbers("xyz", zero))


def _joint(element: Element, links: dict[str, UrdfLink]) -> UrdfJoint:
    kind = element.text("type")
    if kind not in KINDS:
        raise element.fault(say("urdf.joint_type", type=kind, known=", ".join(KINDS)))
    parent, child = (_link_end(element.need(end), links) for end in ("parent", "child"))
    origin, axis_element = element.one("origin"), element.one("axis")
    zero = (0.0, 0.0, 0.0)
    axis = (1.0, 0.0, 0.0) if axis_element is None else axis_element.numbers("xyz", (1.0, 0.0, 0.0))
    if axis_element is not None and not any(axis) and kind != "fixed":
        raise axis_element.fault(say("urdf.no_axis"))
    limits, velocity, effort = _limits(element, kind)
    return UrdfJoint(
        name=element.text("name"),
        line=element.line,
        kind=kind,
        parent=parent,
        child=child,
        xyz=zero if origin is None else origin.numbers("xyz", zero),
        rpy=zero if origin is None else origin.numbers("rpy", zero),
        axis=axis,
        limits=limits,
        velocity=velocity,
        effort=effort,
        mimic=_mimic(element),
    )


def _link_end(element: Element, links: dict[str, UrdfLink]) -> str:
    name = element.text("link")
    if name not in links:
        raise element.fault(say("urdf.unknown_link", name=name))
    return name


def _limits(element: Element, kind: str) -> tuple[tuple[float, float] | None, float | None, float | None]:
    limit = element.one("limit")
    if kind == "fixed":
        return None, None, None
    if limit is None:
        if kind != "continuous":
            raise element.fault(say("urdf.no_limit", type=kind))
        return None, None, None
    velocity, effort = limit.number("velocity", 0.0), limit.number("effort", 0.0)
    for name, value in (("velocity", velocity), ("effort", effort)):
        if value < 0.0:
            raise limit.fault(say("urdf.negative", name=name, value=f"{value:g}"))
    limits = None
    if kind != "continuous":
        lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
        if lower >= upper:
            raise limit.fault(say("urdf.limits_swapped", lower=f"{lower:g}", upper=f"{upper:g}"))
        limits = (lower, upper)
    return limits, velocity or None, effort or None


def _mimic(element: Element) -> tuple[str, float, float] | None:
    mimic = element.one("mimic")
    if mimic is None:
        return None
    return mimic.text("joint"), mimic.number("multiplier", 1.0), mimic.number("offset", 0.0)


def _check_mimics(joints: dict[str, UrdfJoint], path: Path) -> None:
    for joint in joints.values():
        if joint.mimic is None:
            continue
        leader = joints.get(joint.mimic[0])
        if leader is None or leader.kind == "fixed" or leader.mimic is not None:
            raise _joint_fault(path, joint, say("urdf.mimic", name=joint.mimic[0]))


def _find_root(links: dict[str, UrdfLink], joints: dict[str, UrdfJoint], path: Path) -> str:
    """Return the one link that hangs on nothing; raises on several roots, two parents, and loops."""
    parent_joint: dict[str, UrdfJoint] = {}
    for joint in joints.values():
        if joint.child in parent_joint:
            other = parent_joint[joint.child].name
            raise _joint_fault(path, joint, say("urdf.two_parents", link=joint.child, joint=other))
        parent_joint[joint.child] = joint
    for joint in joints.values():
        name, walked = joint.parent, {joint.child}
        while name in parent_joint and name not in walked:
            walked.add(name)
            name = parent_joint[name].parent
        if name in walked:
            raise _joint_fault(path, joint, say("urdf.loop"))
    roots = [link for link in links.values() if link.name not in parent_joint]
    if len(roots) > 1:
        names = ", ".join(repr(link.name) for link in roots)
        message = say("urdf.element", element=f"link {roots[1].name!r}", why=say("urdf.two_roots", links=names))
        raise RobotFileError(path, message, line=roots[1].line)
    return roots[0].name


def _joint_fault(path: Path, joint: UrdfJoint, why: Said) -> RobotFileError:
    return RobotFileError(path, say("urdf.element", element=f"joint {joint.name!r}", why=why), line=joint.line)
