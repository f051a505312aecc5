"""What must hold in a cell beyond its types: names, references, and numbers that can be the unit they stand for."""

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import PurePosixPath

from openpendant.messages import Pose
from openpendant.robots import Robot, load
from openpendant.robots import names as robot_names
from openpendant.spatial import QUATERNION_TOLERANCE

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
from .wiring import find_port_clash, signal_faults, tool_action_faults

__all__ = ["Fault", "References", "find_fault", "find_item_fault", "find_parent_fault"]

NAME = re.compile(r"\w[\w .\-]{0,62}(?<! )")
COLOR = re.compile(r"#[0-9a-f]{6}")
FARTHEST_M = 50.0
"""Nothing of a cell is farther from its frame, or larger; numbers beyond are millimetres by mistake."""
SMALLEST_M = 1e-5
WIDEST_MARGIN_M = 1.0
HEAVIEST_KG = 500.0
MESH_ENDINGS = (".stl", ".obj", ".glb", ".ply")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and where: a JSON pointer from the root of the cell or of the item."""

    pointer: str
    message: str

    def under(self, prefix: str) -> "Fault":
        """Return the same with a longer pointer."""
        return Fault(prefix + self.pointer, self.message)


@dataclass(frozen=True, slots=True)
class References:
    """What an item may refer to by name."""

    frames: Collection[str]
    robots: Mapping[str, CellRobot]
    tools: Mapping[str, CellTool]
    signals: Mapping[str, Signal]


def find_fault(cell: Cell) -> Fault | None:
    """Return the first fault of a cell, or None."""
    if not cell.name.strip():
        return Fault("/name", "a cell needs a name")
    owners: dict[str, str] = {WORLD: "what everything stands in"}
    for section in SECTIONS:
        items: tuple[CellItem, ...] = getattr(cell, section)
        for index, item in enumerate(items):
            pointer = f"/{section}/{index}/name"
            if item.name in owners:
                return Fault(pointer, f"{item.name!r} is also the name of {owners[item.name]}; names must differ")
            owners[item.name] = f"{pointer[:-5]}"
    known = references(cell)
    for section in SECTIONS:
        items = getattr(cell, section)
        for index, item in enumerate(items):
            fault = find_item_fault(item, known)
            if fault is not None:
                return fault.under(f"/{section}/{index}")
    clash = find_port_clash(cell.signals, known.robots)
    if clash is not None:
        return Fault(f"/signals/{clash[0]}/port", clash[1])
    return find_parent_fault(cell.frames)


def references(cell: Cell) -> References:
    """Return what items of this cell may refer to."""
    return References(
        {frame.name for frame in cell.frames},
        {robot.name: robot for robot in cell.robots},
        {tool.name: tool for tool in cell.tools},
        {signal.name: signal for signal in cell.signals},
    )


def find_item_fault(item: CellItem, known: References) -> Fault | None:
    """Return the first fault of one item, given what it may refer to."""
    if not NAME.fullmatch(item.name):
        return Fault(
            "/name",
            f"{item.name!r} cannot be a name: allowed are 1 to 64 letters, digits, spaces, '_', '-' and '.', "
            "the first a letter, digit or '_', the last no space",
        )
    if item.group and not NAME.fullmatch(item.group):
        return Fault("/group", f"{item.group!r} cannot be the name of a group: the same rules hold as for names")
    return next(_faults(item, known), None)


def find_parent_fault(frames: tuple[CellFrame, ...]) -> Fault | None:
    """Return a fault where frames stand in each other in a ring."""
    parents = {frame.name: frame.parent for frame in frames}
    for index, frame in enumerate(frames):
        seen = [frame.name]
        while (parent := parents.get(seen[-1])) is not None:
            if parent == frame.name:
                ring = " in ".join([*seen, parent])
                return Fault(f"/frames/{index}/parent", f"frame {frame.name!r} stands in itself: {ring}")
            if parent in seen:
                break
            seen.append(parent)
    return None


def _faults(item: CellItem, known: References) -> Iterator[Fault]:
    match item:
        case CellRobot():
            yield from _robot(item, known)
        case CellTool():
            yield from _tool(item)
            yield from (Fault(pointer, message) for pointer, message in tool_action_faults(item, known.signals))
        case CellFrame():
            yield from _pose(item.pose, "/pose")
            yield from _place(item.parent, "/parent", known)
        case CellObject():
            yield from _shape(item.shape, "/shape")
            yield from _pose(item.pose, "/pose")
            yield from _place(item.frame, "/frame", known)
            yield from _margin(item.margin_m)
            yield from _color(item.color, "/color")
            if not 0.0 <= item.opacity <= 1.0:
                yield Fault("/opacity", f"{item.opacity} is no opacity; allowed is 0 (unseen) to 1 (solid)")
        case CellPoint():
            yield from _point(item, known)
        case Signal():
            yield from (Fault(pointer, message) for pointer, message in signal_faults(item, known.robots))
        case CellSpace():
            yield from _space(item, known)


def _robot(item: CellRobot, known: References) -> Iterator[Fault]:
    if item.model not in (models := robot_names()):
        yield Fault("/model", f"no robot named {item.model!r} in the catalogue{_hint(item.model, models)}")
        return
    yield from _pose(item.pose, "/pose")
    robot = load(item.model)
    for arm, tool in item.tools.items():
        if arm not in robot.arms:
            yield Fault(f"/tools/{arm}", f"{item.model} has no arm named {arm!r}{_hint(arm, robot.arms)}")
        elif tool is not None and tool not in known.tools:
            yield Fault(f"/tools/{arm}", f"no tool named {tool!r} in this cell{_hint(tool, known.tools)}")
        elif tool is not None and (body := known.tools[tool].catalogue):
            fitting = robot.arm_facts(arm).tool
            if body != fitting:
                yield Fault(
                    f"/tools/{arm}",
                    f"tool {tool!r} has the body of {body!r}, which fits no arm {arm!r} of {item.model}"
                    + (f"; that one has {fitting!r}" if fitting else ""),
                )
    for arm, q in item.joints.items():
        yield from _joints(robot, arm, q, f"/joints/{arm}")


def _tool(item: CellTool) -> Iterator[Fault]:
    yield from _pose(item.tcp, "/tcp", farthest=5.0)
    if item.catalogue and item.parts:
        yield Fault("/parts", "a tool has either a body of the catalogue or parts of its own, not both")
    for index, part in enumerate(item.parts):
        yield from _shape(part.shape, f"/parts/{index}/shape")
        yield from _pose(part.pose, f"/parts/{index}/pose", farthest=5.0)
        yield from _color(part.color, f"/parts/{index}/color")
    if not 0.0 <= item.mass_kg <= HEAVIEST_KG:
        grams = f"; it looks like grams: write {item.mass_kg / 1000:g}" if item.mass_kg > HEAVIEST_KG else ""
        yield Fault("/mass_kg", f"{item.mass_kg:g} kg; allowed is 0 to {HEAVIEST_KG:g}{grams}")
    yield from _lengths(item.com_m, "/com_m", farthest=5.0)


def _point(item: CellPoint, known: References) -> Iterator[Fault]:
    yield from _pose(item.pose, "/pose")
    yield from _place(item.frame, "/frame", known)
    if not item.robot:
        if item.arm or item.q is not None:
            yield Fault("/robot", "a point with an arm or with joints must name its robot")
        return
    owner = known.robots.get(item.robot)
    if owner is None:
        yield Fault("/robot", f"no robot named {item.robot!r} in this cell{_hint(item.robot, known.robots)}")
        return
    if owner.model not in robot_names():
        return
    robot = load(owner.model)
    if item.arm and item.arm not in robot.arms:
        yield Fault("/arm", f"{owner.model} has no arm named {item.arm!r}{_hint(item.arm, robot.arms)}")
    elif item.q is not None:
        yield from _joints(robot, item.arm or next(iter(robot.arms), ""), item.q, "/q")


def _space(item: CellSpace, known: References) -> Iterator[Fault]:
    for index, value in enumerate(item.size):
        yield from _size(value, f"/size/{index}")
    yield from _pose(item.pose, "/pose")
    yield from _place(item.frame, "/frame", known)
    for index, robot in enumerate(item.robots):
        if robot not in known.robots:
            yield Fault(f"/robots/{index}", f"no robot named {robot!r} in this cell{_hint(robot, known.robots)}")
        elif robot in item.robots[:index]:
            yield Fault(f"/robots/{index}", f"{robot!r} is named twice")


def _joints(robot: Robot, arm: str, q: tuple[float, ...], pointer: str) -> Iterator[Fault]:
    if arm not in robot.arms:
        yield Fault(pointer, f"{robot.name} has no arm named {arm!r}{_hint(arm, robot.arms)}")
        return
    found = robot.arms[arm]
    if len(q) != found.dof:
        yield Fault(pointer, f"{len(q)} joints; arm {arm!r} of {robot.name} has {found.dof}")
        return
    for index, value in enumerate(q):
        low, high = float(found.limits_lower[index]), float(found.limits_upper[index])
        if not (low - 1e-9 <= value <= high + 1e-9) or math.isinf(value):
            inside = low - 1e-9 <= math.radians(value) <= high + 1e-9 and abs(value) > 7.0
            degrees = f"; it looks like degrees: write {math.radians(value):.6g}" if inside else ""
            title = found.joint_titles[index]
            yield Fault(
                f"{pointer}/{index}", f"{title} is {value:g} rad; its limits are {low:.4g} to {high:.4g}{degrees}"
            )


def _pose(pose: Pose, pointer: str, *, farthest: float = FARTHEST_M) -> Iterator[Fault]:
    x, y, z = pose.xyz
    if not (-farthest <= x <= farthest and -farthest <= y <= farthest and -farthest <= z <= farthest):
        yield from _lengths(pose.xyz, f"{pointer}/xyz", farthest=farthest)
    w, i, j, k = pose.wxyz
    norm = math.sqrt(w * w + i * i + j * j + k * k)
    if not abs(norm - 1.0) <= QUATERNION_TOLERANCE:
        yield Fault(
            f"{pointer}/wxyz",
            f"{list(pose.wxyz)} has norm {norm:.8g}; a unit quaternion (w, x, y, z) has norm 1 "
            f"within {QUATERNION_TOLERANCE:g}",
        )


def _lengths(values: tuple[float, ...], pointer: str, *, farthest: float = FARTHEST_M) -> Iterator[Fault]:
    for index, value in enumerate(values):
        if not abs(value) <= farthest:
            yield Fault(f"{pointer}/{index}", _not_metres(value, f"at most {farthest:g} m from the origin"))


def _shape(shape: Shape, pointer: str) -> Iterator[Fault]:
    match shape:
        case BoxShape(size=size):
            for index, value in enumerate(size):
                yield from _size(value, f"{pointer}/size/{index}")
        case CylinderShape(radius=radius, length=length):
            yield from _size(radius, f"{pointer}/radius")
            yield from _size(length, f"{pointer}/length")
        case SphereShape(radius=radius):
            yield from _size(radius, f"{pointer}/radius")
        case MeshShape(file=file, scale=scale):
            if not 0.0 < scale <= 1000.0:
                yield Fault(f"{pointer}/scale", f"{scale} is no scale; it is above 0 and at most 1000")
            path = PurePosixPath(file)
            if path.is_absolute() or ".." in path.parts or "\\" in file or not file:
                yield Fault(f"{pointer}/file", f"{file!r} must be a path inside the cell's folder, with '/'")
            elif path.suffix.lower() not in MESH_ENDINGS:
                yield Fault(f"{pointer}/file", f"{file!r} is no mesh; known endings are {', '.join(MESH_ENDINGS)}")


def _size(value: float, pointer: str) -> Iterator[Fault]:
    if not SMALLEST_M <= value <= FARTHEST_M:
        yield Fault(pointer, _not_metres(value, f"{SMALLEST_M:g} to {FARTHEST_M:g} m"))


def _margin(value: float) -> Iterator[Fault]:
    if not 0.0 <= value <= WIDEST_MARGIN_M:
        yield Fault("/margin_m", _not_metres(value, f"0 to {WIDEST_MARGIN_M:g} m"))


def _not_metres(value: float, allowed: str) -> str:
    millimetres = f"; it looks like millimetres: write {value / 1000:g}" if value > 1.0 and math.isfinite(value) else ""
    return f"{value:g} m cannot be; allowed is {allowed}{millimetres}"


def _color(color: str, pointer: str) -> Iterator[Fault]:
    if not COLOR.fullmatch(color):
        yield Fault(pointer, f"{color!r} is no colour; written is '#rrggbb' with lower-case hexadecimal digits")


def _place(name: str, pointer: str, known: References) -> Iterator[Fault]:
    if name != WORLD and name not in known.frames and name not in known.robots:
        places = (WORLD, *known.frames, *known.robots)
        yield Fault(pointer, f"no frame named {name!r} in this cell{_hint(name, places)}")


def _hint(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return f". Did you mean {' or '.join(close)}?"
    return f". Known: {', '.join(sorted(known)[:12]) or 'none'}."
