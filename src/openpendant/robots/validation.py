"""Checks that a robot's facts hang together; every message names the part and what is wrong with it."""

import math
import re
from collections.abc import Iterator

from openpendant.errors import UnknownNameError

from .conventions import find_convention
from .facts import ArmFacts, FrameFacts, JointFacts, PlatformFacts, RobotFacts, ToolFacts

NOT_NEGATIVE = (
    "velocity_deg_s",
    "velocity_m_s",
    "acceleration_deg_s2",
    "acceleration_m_s2",
    "stop_deceleration_deg_s2",
    "stop_deceleration_m_s2",
    "stop_rise_s",
    "effort",
)
SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")
ROBOT_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


def find_fault(facts: RobotFacts) -> str | None:
    """Return the first fault of `facts` as a sentence, or None where they are sound."""
    return next(_faults(facts), None)


def _faults(facts: RobotFacts) -> Iterator[str]:
    if not ROBOT_NAME.fullmatch(facts.name):
        yield f"name {facts.name!r} must be small letters, digits, '_' or '-', at most 64"
    try:
        find_convention(facts.convention)
    except UnknownNameError as error:
        yield error.said
    yield from _name_faults(facts)
    for link in facts.links:
        numbers = (link.mass_kg, *link.com_m, *link.inertia_kg_m2)
        if not all(map(math.isfinite, numbers)) or link.mass_kg < 0 or min(link.inertia_kg_m2[:3]) < 0:
            yield f"link {link.name!r}: mass and inertia must be finite and not negative"
    links = {link.name for link in facts.links}
    for joint in facts.joints:
        yield from _joint_faults(joint, links, facts.joints)
    yield from _tree_faults(facts, links)
    for frame in facts.frames:
        yield from _frame_faults(frame, links, facts)
    for tool in facts.tools:
        yield from _tool_faults(tool)
    for arm in facts.arms:
        yield from _arm_faults(arm, facts)
    if facts.platform is not None:
        yield from _platform_faults(facts.platform, facts)


def _name_faults(facts: RobotFacts) -> Iterator[str]:
    bodies = [("link", link.name) for link in facts.links] + [("frame", frame.name) for frame in facts.frames]
    joints = [("joint", joint.name) for joint in facts.joints]
    for tool in facts.tools:
        bodies += [("tool link", tool.link), ("tcp", tool.tcp)]
        bodies += [("finger", finger.link) for finger in tool.fingers]
        joints += [("finger joint", finger.joint) for finger in tool.fingers]
    parts = [("arm", arm.name) for arm in facts.arms]
    tools = [("tool", tool.name) for tool in facts.tools]
    for group in (bodies, joints, parts, tools):
        seen: dict[str, str] = {}
        for kind, name in group:
            if not SAFE_NAME.fullmatch(name):
                yield f"{kind} {name!r}: use letters, digits and _ . + - in names"
            if name in seen:
                yield f"{kind} {name!r}: a {seen[name]} has the same name"
            seen[name] = kind


def _joint_faults(joint: JointFacts, links: set[str], joints: tuple[JointFacts, ...]) -> Iterator[str]:
    where = f"joint {joint.name!r}"
    for end, link in (("parent", joint.parent), ("child", joint.child)):
        if link not in links:
            yield f"{where}: {end} {link!r} is not a link"
    rpy = joint.rpy_deg if joint.rpy_rad is None else joint.rpy_rad
    if not all(map(math.isfinite, (*joint.xyz_m, *rpy, *joint.axis))):
        yield f"{where}: origin and axis must be finite"
    if joint.rpy_rad is not None and any(joint.rpy_deg):
        yield f"{where}: give rpy_deg or rpy_rad, not both"
    if joint.kind == "fixed":
        return
    if not any(joint.axis):
        yield f"{where}: the axis is zero"
    limits = joint.limits_m if joint.kind == "prismatic" else joint.limits_deg
    foreign = joint.limits_deg if joint.kind == "prismatic" else joint.limits_m
    unit = "m" if joint.kind == "prismatic" else "deg"
    if foreign is not None or (joint.kind == "continuous" and limits is not None):
        yield f"{where}: a {joint.kind} joint takes {'no limits' if joint.kind == 'continuous' else f'limits_{unit}'}"
    if joint.kind != "continuous":
        if limits is None:
            yield f"{where}: a {joint.kind} joint needs limits_{unit}"
        elif not (all(map(math.isfinite, limits)) and limits[0] < limits[1]):
            yield f"{where}: lower limit {limits[0]:g} is not below the upper limit {limits[1]:g}"
    for field in NOT_NEGATIVE:
        value: float | None = getattr(joint, field)
        if value is not None and not (math.isfinite(value) and value >= 0):
            yield f"{where}: {field} is {value:g}; it must be finite and not negative"
    for unit in ("deg_s2", "m_s2"):
        planned: float | None = getattr(joint, f"acceleration_{unit}")
        braked: float | None = getattr(joint, f"stop_deceleration_{unit}")
        if braked is not None and planned is not None and braked < planned:
            yield f"{where}: stop_deceleration_{unit} is {braked:g}; it must not be below the acceleration {planned:g}"
    if joint.mimic is not None:
        leaders = {other.name for other in joints if other.kind != "fixed" and other.mimic is None}
        if joint.mimic.joint not in leaders:
            yield f"{where}: mimics {joint.mimic.joint!r}, which is not an independent joint"


def _tree_faults(facts: RobotFacts, links: set[str]) -> Iterator[str]:
    if facts.root not in links:
        yield f"root {facts.root!r} is not a link"
    parents: dict[str, JointFacts] = {}
    for joint in facts.joints:
        if joint.child in parents:
            yield f"joint {joint.name!r}: link {joint.child!r} already hangs on joint {parents[joint.child].name!r}"
        parents[joint.child] = joint
    if facts.root in parents:
        yield f"joint {parents[facts.root].name!r}: the root {facts.root!r} cannot hang on anything"
    for link in facts.links:
        name, walked = link.name, {link.name}
        while name in parents:
            name = parents[name].parent
            if name in walked:
                yield f"link {link.name!r}: its joints form a loop"
                return
            walked.add(name)
        if name != facts.root:
            yield f"link {link.name!r}: no joints connect it with the root {facts.root!r}"


def _frame_faults(frame: FrameFacts, links: set[str], facts: RobotFacts) -> Iterator[str]:
    parents = {other.name: other.parent for other in facts.frames}
    name, walked = frame.parent, {frame.name}
    while name in parents:
        if name in walked:
            yield f"frame {frame.name!r}: its parents form a loop"
            return
        walked.add(name)
        name = parents[name]
    if name not in links:
        yield f"frame {frame.name!r}: parent {name!r} is neither a link nor a frame"
    if not all(map(math.isfinite, (*frame.xyz_m, *frame.rpy_deg))):
        yield f"frame {frame.name!r}: its place must be finite"


def _tool_faults(tool: ToolFacts) -> Iterator[str]:
    if not all(map(math.isfinite, (*tool.tcp_xyz_m, *tool.tcp_rpy_deg, tool.mass_kg, *tool.com_m))):
        yield f"tool {tool.name!r}: tcp, mass and com must be finite"
    for finger in tool.fingers:
        if not any(finger.axis) or not finger.travel_m > 0 or not finger.velocity_m_s > 0:
            yield f"tool {tool.name!r}, finger {finger.link!r}: axis, travel_m and velocity_m_s must not be zero"


def _arm_faults(arm: ArmFacts, facts: RobotFacts) -> Iterator[str]:
    where = f"arm {arm.name!r}"
    joints = {joint.name: joint for joint in facts.joints}
    links = {link.name for link in facts.links}
    above = {joint.child: (joint.parent, joint) for joint in facts.joints}
    above |= {frame.name: (frame.parent, None) for frame in facts.frames}
    if arm.base not in links:
        yield f"{where}: base {arm.base!r} is not a link"
    if arm.flange not in above:
        yield f"{where}: flange {arm.flange!r} is neither a frame nor a moving link"
        return
    name, chain = arm.flange, list[str]()
    while name != arm.base and name in above:
        name, joint = above[name]
        if joint is not None and joint.kind != "fixed":
            chain.append(joint.name)
    if name != arm.base:
        yield f"{where}: flange {arm.flange!r} does not hang on base {arm.base!r}"
    if sorted(chain) != sorted(arm.joints) or not chain:
        yield f"{where}: joints are {', '.join(arm.joints)}, but from base to flange move {', '.join(reversed(chain))}"
        return
    for joint in (joints[name] for name in arm.joints):
        if joint.mimic is not None:
            yield f"{where}: joint {joint.name!r} follows another one and cannot be an axis of an arm"
    if not arm.postures:
        yield f"{where}: it needs at least one posture"
    for posture in arm.postures:
        if len(posture.q_deg) != len(arm.joints):
            yield f"{where}, posture {posture.name!r}: {len(posture.q_deg)} values for {len(arm.joints)} joints"
            continue
        for name, value in zip(arm.joints, posture.q_deg, strict=True):
            limits = joints[name].limits_deg or joints[name].limits_m or (-math.inf, math.inf)
            if not limits[0] <= value <= limits[1]:
                yield f"{where}, posture {posture.name!r}: {name} at {value:g} is outside {limits[0]:g}..{limits[1]:g}"
    if arm.tool and arm.tool not in {tool.name for tool in facts.tools}:
        yield f"{where}: no tool is named {arm.tool!r}"
    if arm.redundancy and arm.redundancy not in arm.joints:
        yield f"{where}: redundancy {arm.redundancy!r} is not one of its joints"
    known = links | {frame.name for frame in facts.frames} | {tool.tcp for tool in facts.tools}
    for shown, name in ((f"presents.{k}", v) for k, v in arm.presents.items()):
        if name not in known:
            yield f"{where}: {shown} = {name!r} is not a link, frame or tcp"
    if arm.controller_base and arm.controller_base not in known:
        yield f"{where}: controller_base {arm.controller_base!r} is not a link or frame"
    if arm.controller_flange and not _rigid(arm.controller_flange, arm.flange, facts):
        yield f"{where}: controller_flange {arm.controller_flange!r} is not a link or frame that moves with the flange"


def _rigid(a: str, b: str, facts: RobotFacts) -> bool:
    """Return whether two links or frames are known and never move against each other."""
    fixed = {joint.child: joint.parent for joint in facts.joints if joint.kind == "fixed"}
    fixed |= {frame.name: frame.parent for frame in facts.frames}
    known = {link.name for link in facts.links} | {frame.name for frame in facts.frames}
    ends: list[str] = []
    for end in (a, b):
        walked: set[str] = set()
        while end in fixed and end not in walked:
            walked.add(end)
            end = fixed[end]
        ends.append(end)
    return a in known and ends[0] == ends[1]


def _platform_faults(platform: PlatformFacts, facts: RobotFacts) -> Iterator[str]:
    kinds = {joint.name: joint.kind for joint in facts.joints}
    for name, allowed in zip(
        platform.joints, (("prismatic",), ("prismatic",), ("continuous", "revolute")), strict=True
    ):
        if kinds.get(name) not in allowed:
            yield f"platform: joint {name!r} must be a {' or '.join(allowed)} joint of this robot"
    bodies = {link.name for link in facts.links}
    if platform.body not in bodies:
        yield f"platform: body {platform.body!r} is not a link"
    if platform.camera not in bodies | {frame.name for frame in facts.frames}:
        yield f"platform: camera {platform.camera!r} is neither a link nor a frame"
    numbers = (*platform.size_m, platform.speed_m_s, platform.turn_deg_s)
    if not all(value > 0 and math.isfinite(value) for value in numbers) or not platform.margin_m >= 0:
        yield "platform: size, speed and turn rate must be above zero, the margin not below"
