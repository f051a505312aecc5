"""The library of tools: grippers, cups, a torch, a spindle and a camera of our own shapes, made to measure.

    tool = make_tool("parallel_small", "gripper", {"stroke_m": 0.06}, signal="close gripper")

In: a kind, a name, measures. Out: a `CellTool` with bodies, fingers, TCP, mass and how it is worked. Metres, kilograms;
the flange's z points away from the arm.
"""

from collections.abc import Callable, Mapping

import msgspec
import numpy as np

from openpendant.errors import InputError, UnknownNameError
from openpendant.messages import Pose, ToolKind, ToolMeasure
from openpendant.said import say
from openpendant.spatial import quaternion_from_matrix, rotation_y

from .document import BoxShape, CellTool, CylinderShape, SignalValue, ToolAction, ToolPart

Vec3 = tuple[float, float, float]

DARK, BRIGHT, RUBBER = "#4a5058", "#9aa1ab", "#2f6f9f"
TIP_M = 0.005
"""How far fingers reach beyond the TCP: so much room a part needs below the place where it is gripped."""
FINGER_M = 0.012
"""How thick a finger is."""
STICK_OUT_M = 0.015
"""How far a welding wire stands out."""
TORCH_ANGLE_RAD = 0.6


def make_tool(kind: str, name: str, measures: Mapping[str, float] | None = None, *, signal: str = "") -> CellTool:
    """Return a tool of the library for a cell.

    Args:
        kind: One of `TOOL_KINDS`.
        name: In the cell.
        measures: Those that differ from their defaults, metres.
        signal: The output of the cell that closes it or switches it on; empty: it is not wired.

    Raises:
        UnknownNameError: There is no such kind or measure.
        InputError: A measure is out of its range; names it and what is allowed.
    """
    if kind not in _MAKERS:
        raise UnknownNameError(say("kind.tool_kind"), kind, _MAKERS)
    known = next(one for one in TOOL_KINDS if one.name == kind)
    values = {one.name: one.default for one in known.measures}
    for key, value in (measures or {}).items():
        measure = next((one for one in known.measures if one.name == key), None)
        if measure is None:
            raise UnknownNameError(say("kind.tool_measure", tool=kind), key, values)
        if not measure.least <= value <= measure.most:
            why = say("fault.length", value_m=value, least_m=measure.least, most_m=measure.most)
            raise InputError(say("fault.tool_measure", measure=key, why=why))
        values[key] = float(value)
    made = _MAKERS[kind](name, values)
    if not signal or not known.works:
        return made
    time_s = TIMES_S[kind]
    off = ToolAction(outputs=(SignalValue(signal=signal, value=False),), time_s=time_s)
    return msgspec.structs.replace(
        made, open=off, close=ToolAction(outputs=(SignalValue(signal=signal),), time_s=time_s)
    )


def _parallel(name: str, m: Mapping[str, float], body: Vec3, mass_kg: float) -> CellTool:
    stroke, length, width = m["stroke_m"], m["finger_m"], m["width_m"]
    x, y, z = body
    parts = [_box((x, max(y, stroke + 2.0 * FINGER_M), z), (0.0, 0.0, 0.5 * z), DARK)]
    for side in (1.0, -1.0):
        middle = (0.0, side * 0.5 * FINGER_M, z + 0.5 * length)
        finger = _box((width, FINGER_M, length), middle, BRIGHT)
        parts.append(msgspec.structs.replace(finger, opens_m=(0.0, side * 0.5 * stroke, 0.0)))
    return _tool(name, z + length - TIP_M, parts, mass_kg, 0.45 * (z + length))


def _cup(name: str, m: Mapping[str, float]) -> CellTool:
    length, cup = m["length_m"], 0.4 * m["cup_m"]
    parts = [
        _cylinder(0.009, length - cup, 0.5 * (length - cup), DARK),
        _cylinder(0.5 * m["cup_m"], cup, length - 0.5 * cup, RUBBER),
    ]
    return _tool(name, length, parts, 0.25, 0.5 * length)


def _four_cups(name: str, m: Mapping[str, float]) -> CellTool:
    length, x, y, cup = m["length_m"], m["apart_x_m"], m["apart_y_m"], 0.4 * m["cup_m"]
    plate = 0.012
    top = length - cup - 0.02
    parts = [
        _cylinder(0.02, top, 0.5 * top, DARK),
        _box((x + m["cup_m"], y + m["cup_m"], plate), (0.0, 0.0, top + 0.5 * plate), BRIGHT),
    ]
    stem = length - cup - top - plate
    for sign_x in (1.0, -1.0):
        for sign_y in (1.0, -1.0):
            here = (0.5 * sign_x * x, 0.5 * sign_y * y)
            parts.append(_cylinder(0.005, stem, top + plate + 0.5 * stem, DARK, here))
            parts.append(_cylinder(0.5 * m["cup_m"], cup, length - 0.5 * cup, RUBBER, here))
    return _tool(name, length, parts, 0.7, 0.6 * length)


def _torch(name: str, m: Mapping[str, float]) -> CellTool:
    straight, neck = 0.6 * m["length_m"], 0.4 * m["length_m"]
    R = rotation_y(TORCH_ANGLE_RAD)
    ahead = R @ np.array([0.0, 0.0, 1.0])
    wxyz = _quaternion(R)
    middle = np.array([0.0, 0.0, straight]) + ahead * (0.5 * neck)
    tip = np.array([0.0, 0.0, straight]) + ahead * (neck + STICK_OUT_M)
    tilted = ToolPart(shape=CylinderShape(radius=0.011, length=neck), pose=_pose(middle, wxyz), color=BRIGHT)
    parts = [_cylinder(0.02, straight, 0.5 * straight, DARK), tilted]
    made = _tool(name, 0.0, parts, 1.2, 0.5 * straight)
    return msgspec.structs.replace(made, tcp=_pose(tip, wxyz))


def _spindle(name: str, m: Mapping[str, float]) -> CellTool:
    length, collet, cutter = m["length_m"], 0.02, m["cutter_m"]
    parts = [
        _cylinder(0.5 * m["diameter_m"], length, 0.5 * length, DARK),
        _cylinder(0.012, collet, length + 0.5 * collet, BRIGHT),
        _cylinder(0.5 * m["cutter_diameter_m"], cutter, length + collet + 0.5 * cutter, BRIGHT),
    ]
    return _tool(name, length + collet + cutter, parts, 1.8, 0.5 * length)


def _camera(name: str, m: Mapping[str, float]) -> CellTool:
    parts = [
        _box((0.09, 0.06, 0.012), (0.0, 0.0, 0.006), DARK),
        _box((0.04, 0.04, 0.05), (0.0, 0.0, 0.037), BRIGHT),
        _cylinder(0.015, 0.03, 0.077, DARK),
    ]
    return _tool(name, 0.092 + m["distance_m"], parts, 0.4, 0.04)


def _tool(name: str, tcp_m: float, parts: list[ToolPart], mass_kg: float, com_m: float) -> CellTool:
    return CellTool(
        name=name,
        tcp=_pose((0.0, 0.0, tcp_m)),
        parts=tuple(parts),
        mass_kg=mass_kg,
        com_m=(0.0, 0.0, round(com_m, 4)),
    )


def _box(size: Vec3, xyz: Vec3, color: str) -> ToolPart:
    x, y, z = (round(value, 6) for value in size)
    return ToolPart(shape=BoxShape(size=(x, y, z)), pose=_pose(xyz), color=color)


def _cylinder(radius: float, length: float, z: float, color: str, at: tuple[float, float] = (0.0, 0.0)) -> ToolPart:
    shape = CylinderShape(radius=round(radius, 6), length=round(length, 6))
    return ToolPart(shape=shape, pose=_pose((*at, z)), color=color)


def _pose(xyz: Vec3 | np.ndarray, wxyz: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)) -> Pose:
    x, y, z = (round(float(value), 6) + 0.0 for value in xyz)
    return Pose(xyz=(x, y, z), wxyz=wxyz)


def _quaternion(R: np.ndarray) -> tuple[float, float, float, float]:
    w, x, y, z = (float(value) for value in quaternion_from_matrix(R))
    return w, x, y, z


def _measure(name: str, default: float, least: float, most: float) -> ToolMeasure:
    return ToolMeasure(name=name, default=default, least=least, most=most)


TOOL_KINDS = (
    ToolKind(
        name="parallel_small",
        title="Two-finger gripper, small",
        measures=(
            _measure("stroke_m", 0.05, 0.005, 0.1),
            _measure("finger_m", 0.05, 0.02, 0.15),
            _measure("width_m", 0.02, 0.005, 0.06),
        ),
    ),
    ToolKind(
        name="parallel_large",
        title="Two-finger gripper, large",
        measures=(
            _measure("stroke_m", 0.14, 0.05, 0.4),
            _measure("finger_m", 0.09, 0.03, 0.3),
            _measure("width_m", 0.03, 0.01, 0.12),
        ),
    ),
    ToolKind(
        name="cup",
        title="Suction cup",
        measures=(_measure("length_m", 0.08, 0.03, 0.5), _measure("cup_m", 0.03, 0.005, 0.15)),
    ),
    ToolKind(
        name="four_cups",
        title="Four suction cups",
        measures=(
            _measure("length_m", 0.1, 0.08, 0.5),
            _measure("apart_x_m", 0.06, 0.02, 0.5),
            _measure("apart_y_m", 0.04, 0.02, 0.5),
            _measure("cup_m", 0.02, 0.005, 0.08),
        ),
    ),
    ToolKind(name="torch", title="Welding torch", measures=(_measure("length_m", 0.3, 0.15, 0.6),)),
    ToolKind(
        name="spindle",
        title="Spindle",
        measures=(
            _measure("length_m", 0.18, 0.05, 0.5),
            _measure("diameter_m", 0.065, 0.03, 0.15),
            _measure("cutter_m", 0.03, 0.005, 0.15),
            _measure("cutter_diameter_m", 0.006, 0.001, 0.03),
        ),
    ),
    ToolKind(name="camera", title="Camera", measures=(_measure("distance_m", 0.2, 0.02, 1.0),), works=False),
)
"""What the library has, in the order in which it is offered."""

TIMES_S = {
    "parallel_small": 0.4,
    "parallel_large": 0.8,
    "cup": 0.2,
    "four_cups": 0.3,
    "torch": 0.1,
    "spindle": 2.0,
}
"""How long each takes to close or to come up to speed, where no input confirms it."""

_MAKERS: dict[str, Callable[[str, Mapping[str, float]], CellTool]] = {
    "parallel_small": lambda name, m: _parallel(name, m, (0.05, 0.07, 0.07), 0.8),
    "parallel_large": lambda name, m: _parallel(name, m, (0.08, 0.12, 0.1), 1.7),
    "cup": _cup,
    "four_cups": _four_cups,
    "torch": _torch,
    "spindle": _spindle,
    "camera": _camera,
}
