"""From a parsed URDF to the facts of a robot."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, cast

from openpendant.robots.facts import ArmFacts, JointFacts, LinkFacts, MimicFacts, PostureFacts, RobotFacts, SourceFacts

from .arm_finder import FoundArm
from .model import UrdfJoint, UrdfLink, UrdfModel

REDUNDANT_AXES = 7
THIRD = 2
"""In the usual seven-axis arm the third axis turns the elbow about the line from shoulder to wrist."""


def facts_from_urdf(name: str, model: UrdfModel, arms: Sequence[FoundArm], path: Path, visible: set[str]) -> RobotFacts:
    """Return the facts of an imported robot.

    Args:
        name: Its name in the catalogue.
        model: What the URDF says.
        arms: The chains that are its arms.
        path: The file, named as the source.
        visible: Links that have a mesh.
    """
    return RobotFacts(
        format=1,
        name=name,
        title=model.name,
        maker="imported",
        summary=f"Imported from {path.name}.",
        convention="plain",
        root=model.root,
        sources=(SourceFacts(id="urdf", title=path.name, covers="Everything.", licence="that of the URDF"),),
        links=tuple(_link(link, visible) for link in model.links.values()),
        joints=tuple(_joint(joint) for joint in model.joints.values()),
        arms=tuple(_arm(arm, model) for arm in arms),
    )


def _link(link: UrdfLink, visible: set[str]) -> LinkFacts:
    tensor = link.inertia
    xx, yy, zz, xy, xz, yz = (
        float(tensor[row, column]) for row, column in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    )
    return LinkFacts(
        name=link.name,
        mass_kg=link.mass,
        com_m=link.com,
        inertia_kg_m2=(xx, yy, zz, xy, xz, yz),
        visual=link.name in visible,
    )


def _joint(joint: UrdfJoint) -> JointFacts:
    kind = cast(Literal["revolute", "continuous", "prismatic", "fixed"], joint.kind)
    if kind == "fixed":
        return JointFacts(
            name=joint.name, kind=kind, parent=joint.parent, child=joint.child, xyz_m=joint.xyz, rpy_rad=joint.rpy
        )
    slides = kind == "prismatic"
    return JointFacts(
        name=joint.name,
        kind=kind,
        parent=joint.parent,
        child=joint.child,
        xyz_m=joint.xyz,
        rpy_rad=joint.rpy,
        axis=joint.axis,
        title=joint.name,
        limits_m=joint.limits if slides else None,
        limits_deg=None if slides or joint.limits is None else _degrees(joint.limits),
        velocity_m_s=joint.velocity if slides else None,
        velocity_deg_s=None if slides or joint.velocity is None else math.degrees(joint.velocity),
        effort=joint.effort,
        mimic=_mimic(joint),
    )


def _mimic(joint: UrdfJoint) -> MimicFacts | None:
    if joint.mimic is None:
        return None
    leader, multiplier, offset = joint.mimic
    return MimicFacts(joint=leader, multiplier=multiplier, offset=offset)


def _arm(arm: FoundArm, model: UrdfModel) -> ArmFacts:
    joints = [model.joints[name] for name in arm.joints]
    zero = tuple(_nearest_to_zero(joint) for joint in joints)
    middle = tuple(_middle(joint) for joint in joints)
    postures = [PostureFacts(name="zero", q_deg=zero, note="Every joint at zero, or as near as its limits allow.")]
    if middle != zero:
        postures.append(PostureFacts(name="middle", q_deg=middle, note="Every joint in the middle of its range."))
    turning = all(joint.kind != "prismatic" for joint in joints)
    return ArmFacts(
        name=arm.name,
        title=arm.name.replace("_", " ").capitalize(),
        base=arm.base,
        flange=arm.flange,
        joints=arm.joints,
        postures=tuple(postures),
        redundancy=arm.joints[THIRD] if len(joints) == REDUNDANT_AXES and turning else "",
    )


def _range(joint: UrdfJoint) -> tuple[float, float]:
    """Return the limits in the unit of postures: degrees, or metres where it slides."""
    if joint.limits is None:
        return -math.inf, math.inf
    return joint.limits if joint.kind == "prismatic" else _degrees(joint.limits)


def _nearest_to_zero(joint: UrdfJoint) -> float:
    lower, upper = _range(joint)
    return min(max(0.0, lower), upper)


def _middle(joint: UrdfJoint) -> float:
    lower, upper = _range(joint)
    return 0.0 if math.isinf(lower) else 0.5 * (lower + upper)


def _degrees(limits: tuple[float, float]) -> tuple[float, float]:
    return math.degrees(limits[0]), math.degrees(limits[1])
