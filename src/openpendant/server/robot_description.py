"""Describes a robot of the catalogue for the page."""

import math
from collections.abc import Iterable
from urllib.parse import quote

from openpendant.messages import (
    ArmInfo,
    FrameInfo,
    JointInfo,
    PlatformInfo,
    PortsInfo,
    PostureInfo,
    RobotInfo,
    RobotSummary,
    SourceInfo,
    ToolInfo,
)
from openpendant.robots import ArmFacts, PortKind, PortRules, Robot


def summarise(robot: Robot) -> RobotSummary:
    """Return the robot's row in the catalogue."""
    facts = robot.facts
    kind = "mobile" if facts.platform is not None else "two arms" if len(facts.arms) == 2 else "arm"
    return RobotSummary(
        name=facts.name,
        title=facts.title,
        maker=facts.maker,
        summary=facts.summary,
        kind=kind,
        axes=sum(len(arm.joints) for arm in facts.arms) + (3 if facts.platform is not None else 0),
        imported=robot.imported,
    )


def describe(robot: Robot) -> RobotInfo:
    """Return everything the page needs to know of a robot, beside its URDF and meshes."""
    facts = robot.facts
    return RobotInfo(
        name=facts.name,
        title=facts.title,
        maker=facts.maker,
        summary=facts.summary,
        convention=facts.convention,
        inputs=describe_ports(robot.convention.ports, "in"),
        outputs=describe_ports(robot.convention.ports, "out"),
        root=facts.root,
        urdf=f"api/robots/{quote(facts.name)}/robot.urdf",
        arms=[describe_arm(robot, arm) for arm in facts.arms],
        platform=describe_platform(robot),
        payload_kg=facts.payload_kg,
        reach_m=facts.reach_m,
        notes=list(facts.notes),
        sources=[SourceInfo(title=one.title, covers=one.covers, licence=one.licence) for one in facts.sources],
    )


def describe_ports(rules: PortRules, kind: PortKind) -> PortsInfo:
    """Return what the robot's controller calls its ports of one kind."""
    return PortsInfo(
        names=list(rules.names.get(kind, ())),
        ranges=[(some.start, some.stop - 1) for some in rules.numbers.get(kind, ())],
        example=rules.examples.get(kind, ""),
    )


def describe_arm(robot: Robot, facts: ArmFacts) -> ArmInfo:
    """Return one arm: its joints in the vendor's counting, its postures and frames."""
    arm = robot.arm(facts.name)
    return ArmInfo(
        name=facts.name,
        title=facts.title,
        base=arm.base,
        flange=arm.flange,
        joints=[describe_joint(robot, name) for name in facts.joints],
        postures=[
            PostureInfo(name=one.name, q=robot.posture(one.name, facts.name).tolist(), note=one.note)
            for one in facts.postures
        ],
        bases=describe_frames(robot, facts.name, arm.bases),
        frames=describe_frames(robot, facts.name, arm.frames),
        tool=describe_tool(robot, facts.name),
        redundancy=facts.redundancy or None,
        solver=arm.solver.title,
    )


def describe_frames(robot: Robot, arm: str, names: Iterable[str]) -> list[FrameInfo]:
    """Return the frames an arm knows, with the notes of the facts."""
    notes = {frame.name: frame.note for frame in robot.facts.frames}
    links = {name: robot.link_of(name, arm) for name in names}
    return [FrameInfo(name=name, link=link, note=notes.get(link, "")) for name, link in links.items()]


def describe_tool(robot: Robot, arm: str) -> ToolInfo | None:
    """Return the tool an arm carries; of its fingers only those that do not follow another."""
    tool = robot.tool(arm)
    if tool is None:
        return None
    leading = [finger.joint for finger in tool.fingers if robot.tree.edge(finger.joint).mimic is None]
    tcp = next(name for name in robot.arm(arm).frames if robot.link_of(name, arm) == tool.tcp)
    fingers = [describe_joint(robot, joint) for joint in leading]
    return ToolInfo(name=tool.name, title=tool.title, tcp=tcp, fingers=fingers)


def describe_platform(robot: Robot) -> PlatformInfo | None:
    """Return the platform that carries the robot, where it is one."""
    facts = robot.facts.platform
    if facts is None:
        return None
    return PlatformInfo(
        size=list(facts.size_m),
        margin=facts.margin_m,
        speed=facts.speed_m_s,
        turn_rate=math.radians(facts.turn_deg_s),
        joints=[describe_joint(robot, name) for name in facts.joints],
        camera=facts.camera,
    )


def describe_joint(robot: Robot, name: str) -> JointInfo:
    """Return one moving joint, its limits in radians or metres."""
    joint = robot.tree.edge(name)
    if joint.kind == "fixed":
        raise ValueError(f"joint {name!r} of {robot.name} is fixed and cannot be moved")
    return JointInfo(
        name=joint.name,
        title=joint.title,
        kind=joint.kind,
        lower=joint.lower if math.isfinite(joint.lower) else None,
        upper=joint.upper if math.isfinite(joint.upper) else None,
        velocity=joint.velocity,
    )
