"""What must hold in a cell beyond its types: names, references, and numbers that can be the unit they stand for."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from openpendant.documents import DocumentFault
from openpendant.robots import Robot, load
from openpendant.robots import names as robot_names
from openpendant.said import join, name_hint, say

from .cell import (
    SECTIONS,
    WORLD,
    BoxShape,
    Cell,
    CellFrame,
    CellItem,
    CellObject,
    CellPoint,
    CellRobot,
    CellSpace,
    CellTool,
    CylinderShape,
    MeshShape,
    Shape,
    Signal,
    SphereShape,
)
from .port_faults import find_port_clash, signal_faults, tool_action_faults
from .value_faults import joint_faults, length_faults, pose_faults, size_faults, unknown_in_cell

NAME = re.compile(r"\w[\w .\-]{0,62}(?<! )")
COLOR = re.compile(r"#[0-9a-f]{6}")
FARTHEST_ON_TOOL_M = 5.0
WIDEST_MARGIN_M = 1.0
HEAVIEST_KG = 500.0
MESH_ENDINGS = (".stl", ".obj", ".glb", ".ply")


@dataclass(frozen=True, slots=True)
class References:
    """What an item may refer to by name."""

    frames: Collection[str]
    robots: Mapping[str, CellRobot]
    tools: Mapping[str, CellTool]
    signals: Mapping[str, Signal]


def find_fault(cell: Cell) -> DocumentFault | None:
    """Return the first fault of a cell, or None."""
    if not cell.name.strip():
        return DocumentFault("/name", say("fault.cell_unnamed"))
    owners: dict[str, str] = {WORLD: say("fault.world")}
    for section in SECTIONS:
        items: tuple[CellItem, ...] = getattr(cell, section)
        for index, item in enumerate(items):
            pointer = f"/{section}/{index}/name"
            if item.name in owners:
                return DocumentFault(pointer, say("fault.name_twice", name=item.name, owner=owners[item.name]))
            owners[item.name] = pointer.removesuffix("/name")
    known = references(cell)
    for section in SECTIONS:
        items = getattr(cell, section)
        for index, item in enumerate(items):
            fault = find_item_fault(item, known)
            if fault is not None:
                return fault.under(f"/{section}/{index}")
    clash = find_port_clash(cell.signals, known.robots)
    if clash is not None:
        return DocumentFault(f"/signals/{clash[0]}/port", clash[1])
    return find_parent_fault(cell.frames)


def references(cell: Cell) -> References:
    """Return what items of this cell may refer to."""
    return References(
        {frame.name for frame in cell.frames},
        {robot.name: robot for robot in cell.robots},
        {tool.name: tool for tool in cell.tools},
        {signal.name: signal for signal in cell.signals},
    )


def find_item_fault(item: CellItem, known: References) -> DocumentFault | None:
    """Return the first fault of one item, given what it may refer to."""
    if not NAME.fullmatch(item.name):
        return DocumentFault("/name", say("fault.name", name=item.name))
    if item.group and not NAME.fullmatch(item.group):
        return DocumentFault("/group", say("fault.group", name=item.group))
    return next(_faults(item, known), None)


def find_parent_fault(frames: tuple[CellFrame, ...]) -> DocumentFault | None:
    """Return a fault where frames stand in each other in a ring."""
    parents = {frame.name: frame.parent for frame in frames}
    for index, frame in enumerate(frames):
        seen = [frame.name]
        while (parent := parents.get(seen[-1])) is not None:
            if parent == frame.name:
                ring = join([*seen, parent], "list.in")
                return DocumentFault(f"/frames/{index}/parent", say("fault.frame_ring", name=frame.name, ring=ring))
            if parent in seen:
                break
            seen.append(parent)
    return None


def _faults(item: CellItem, known: References) -> Iterator[DocumentFault]:
    match item:
        case CellRobot():
            yield from _robot(item, known)
        case CellTool():
            yield from _tool(item)
            yield from tool_action_faults(item, known.signals)
        case CellFrame():
            yield from pose_faults(item.pose, "/pose")
            yield from _place(item.parent, "/parent", known)
        case CellObject():
            yield from _shape(item.shape, "/shape")
            yield from pose_faults(item.pose, "/pose")
            yield from _place(item.frame, "/frame", known)
            yield from size_faults(item.margin_m, "/margin_m", 0.0, WIDEST_MARGIN_M)
            yield from _color(item.color, "/color")
            if not 0.0 <= item.opacity <= 1.0:
                yield DocumentFault("/opacity", say("fault.opacity", opacity=item.opacity))
        case CellPoint():
            yield from _point(item, known)
        case Signal():
            yield from signal_faults(item, known.robots)
        case CellSpace():
            yield from _space(item, known)


def _robot(item: CellRobot, known: References) -> Iterator[DocumentFault]:
    if item.model not in (models := robot_names()):
        yield DocumentFault(
            "/model", say("fault.not_in_catalogue", name=item.model, hint=name_hint(item.model, models))
        )
        return
    yield from pose_faults(item.pose, "/pose")
    robot = load(item.model)
    for arm, tool in item.tools.items():
        yield from _arm_tool(robot, arm, tool, known)
    for arm, q in item.joints.items():
        yield from _joints(robot, arm, q, f"/joints/{arm}")


def _arm_tool(robot: Robot, arm: str, tool: str | None, known: References) -> Iterator[DocumentFault]:
    if arm not in robot.arms:
        yield _no_arm(robot, arm, f"/tools/{arm}")
    elif tool is not None and tool not in known.tools:
        yield DocumentFault(f"/tools/{arm}", unknown_in_cell("tool", tool, known.tools))
    elif tool is not None and (body := known.tools[tool].catalogue):
        fitting = robot.arm_facts(arm).tool
        values = {"tool": tool, "body": body, "arm": arm, "model": robot.name}
        if fitting and body != fitting:
            yield DocumentFault(f"/tools/{arm}", say("fault.tool_body_other", **values, fitting=fitting))
        elif body != fitting:
            yield DocumentFault(f"/tools/{arm}", say("fault.tool_body", **values))


def _no_arm(robot: Robot, arm: str, pointer: str) -> DocumentFault:
    return DocumentFault(pointer, say("fault.no_arm", model=robot.name, arm=arm, hint=name_hint(arm, robot.arms)))


def _tool(item: CellTool) -> Iterator[DocumentFault]:
    yield from pose_faults(item.tcp, "/tcp", farthest=FARTHEST_ON_TOOL_M)
    if item.catalogue and item.parts:
        yield DocumentFault("/parts", say("fault.body_or_parts"))
    for index, part in enumerate(item.parts):
        yield from _shape(part.shape, f"/parts/{index}/shape")
        yield from pose_faults(part.pose, f"/parts/{index}/pose", farthest=FARTHEST_ON_TOOL_M)
        yield from length_faults(part.opens_m, f"/parts/{index}/opens_m", farthest=FARTHEST_ON_TOOL_M)
        yield from _color(part.color, f"/parts/{index}/color")
    if not 0.0 <= item.mass_kg <= HEAVIEST_KG:
        why = say("fault.mass", mass_kg=item.mass_kg, most_kg=HEAVIEST_KG)
        if item.mass_kg > HEAVIEST_KG:
            why = say("fault.grams", why=why, write_kg=item.mass_kg / 1000.0)
        yield DocumentFault("/mass_kg", why)
    yield from length_faults(item.com_m, "/com_m", farthest=FARTHEST_ON_TOOL_M)


def _point(item: CellPoint, known: References) -> Iterator[DocumentFault]:
    yield from pose_faults(item.pose, "/pose")
    yield from _place(item.frame, "/frame", known)
    if not item.robot:
        if item.arm or item.q is not None:
            yield DocumentFault("/robot", say("fault.point_robot"))
        return
    owner = known.robots.get(item.robot)
    if owner is None:
        yield DocumentFault("/robot", unknown_in_cell("robot", item.robot, known.robots))
        return
    if owner.model not in robot_names():
        return
    robot = load(owner.model)
    if item.arm and item.arm not in robot.arms:
        yield _no_arm(robot, item.arm, "/arm")
    elif item.q is not None:
        yield from _joints(robot, item.arm or next(iter(robot.arms), ""), item.q, "/q")


def _space(item: CellSpace, known: References) -> Iterator[DocumentFault]:
    for index, value in enumerate(item.size):
        yield from size_faults(value, f"/size/{index}")
    yield from pose_faults(item.pose, "/pose")
    yield from _place(item.frame, "/frame", known)
    for index, robot in enumerate(item.robots):
        if robot not in known.robots:
            yield DocumentFault(f"/robots/{index}", unknown_in_cell("robot", robot, known.robots))
        elif robot in item.robots[:index]:
            yield DocumentFault(f"/robots/{index}", say("fault.named_twice", name=robot))


def _joints(robot: Robot, arm: str, q: tuple[float, ...], pointer: str) -> Iterator[DocumentFault]:
    if arm not in robot.arms:
        yield _no_arm(robot, arm, pointer)
    else:
        yield from joint_faults(robot.arms[arm], robot.name, q, pointer)


def _shape(shape: Shape, pointer: str) -> Iterator[DocumentFault]:
    match shape:
        case BoxShape(size=size):
            for index, value in enumerate(size):
                yield from size_faults(value, f"{pointer}/size/{index}")
        case CylinderShape(radius=radius, length=length):
            yield from size_faults(radius, f"{pointer}/radius")
            yield from size_faults(length, f"{pointer}/length")
        case SphereShape(radius=radius):
            yield from size_faults(radius, f"{pointer}/radius")
        case MeshShape(file=file, scale=scale):
            if not 0.0 < scale <= 1000.0:
                yield DocumentFault(f"{pointer}/scale", say("fault.mesh_scale", scale=scale))
            path = PurePosixPath(file)
            if path.is_absolute() or ".." in path.parts or "\\" in file or not file:
                yield DocumentFault(f"{pointer}/file", say("fault.mesh_path", file=file))
            elif path.suffix.lower() not in MESH_ENDINGS:
                why = say("fault.mesh_ending", file=file, endings=", ".join(MESH_ENDINGS))
                yield DocumentFault(f"{pointer}/file", why)


def _color(color: str, pointer: str) -> Iterator[DocumentFault]:
    if not COLOR.fullmatch(color):
        yield DocumentFault(pointer, say("fault.color", color=color))


def _place(name: str, pointer: str, known: References) -> Iterator[DocumentFault]:
    if name != WORLD and name not in known.frames and name not in known.robots:
        places = (WORLD, *known.frames, *known.robots)
        yield DocumentFault(pointer, unknown_in_cell("frame", name, places))
