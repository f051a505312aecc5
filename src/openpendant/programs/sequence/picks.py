"""Picks and places as the arm makes them: where a part is gripped, and the plain steps in turn."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from numpy.typing import NDArray

from openpendant.errors import UnknownNameError
from openpendant.messages import Pose
from openpendant.programs.document import (
    Action,
    GoTo,
    InlinePoint,
    Offset,
    PickPart,
    PlacePart,
    Target,
    plain_steps,
)
from openpendant.scene import Scene, pose_of, transform_of
from openpendant.scene.collision import bodies_of_shape
from openpendant.spatial import inverse, make_transform, matrix_from_rpy

from .program_arm import ProgramArm
from .step_order import StepTurn

Array = NDArray[np.float64]

DEPTH_M = 0.02
"""How deep under a part's top the TCP of a tool with fingers grips at most."""
CLEAR_M = 0.1
"""A grip is chosen from which the tool can also leave by this much."""
DOWN = np.array([0.0, 0.0, -1.0])

_known: "WeakKeyDictionary[Scene, dict[tuple[str, str], InlinePoint]]" = WeakKeyDictionary()


def plain_steps_of(setting: ProgramArm, step: PickPart | PlacePart) -> tuple[Action, ...]:
    """Return the plain steps that a pick or place of an arm means, with ids that begin with its own.

    Raises:
        UnknownNameError: The cell has no such part or point.
    """
    at = point_of(setting, step)
    return plain_steps(step, at, setting.point(at)[1])


def plain_turns(setting: ProgramArm, turn: StepTurn) -> Iterator[StepTurn]:
    """Yield the turns of the plain steps of a pick or place whose turn it is."""
    whole = turn.step
    if not isinstance(whole, PickPart | PlacePart):
        yield turn
        return
    now = whole
    if whole.offset is not None:
        now = msgspec.structs.replace(whole, offset=Offset(by=turn.offset, axes=whole.offset.axes))
    for part, step in enumerate(plain_steps_of(setting, now)):
        by = step.offset.by if isinstance(step, GoTo) and step.offset is not None else (0.0, 0.0, 0.0)
        x, y, z = (float(value) for value in by)
        place = None if turn.place is None else replace(turn.place, part=part)
        yield StepTurn(step, turn.program, (x, y, z), whole=whole, place=place)


def point_of(setting: ProgramArm, step: PickPart | PlacePart) -> Target:
    """Return the point of a pick or place: its own, or the one where the part is gripped from above.

    Raises:
        UnknownNameError: The cell has no such part.
    """
    if step.at is not None:
        return step.at
    known = _known.setdefault(setting.scene, {})
    key = (setting.key, step.part)
    if key not in known:
        known[key] = find_grip_point(setting, step.part)
    return known[key]


def find_grip_point(setting: ProgramArm, part: str) -> InlinePoint:
    """Return where an arm grips a part from above, where the cell says that it stands, in the part's own frame.

    Fingers close across the narrower side and up to 20 mm under the top; a tool without fingers touches the middle of
    the top. Of the ways to turn the tool that fit, the one nearest to the arm's first posture counts.

    Raises:
        UnknownNameError: The cell has no such part.
    """
    item = next((one for one in setting.scene.cell.objects if one.name == part), None)
    if item is None:
        raise UnknownNameError("object in this cell", part, setting.scene.objects)
    T_world_frame = setting.scene.frames[item.frame]
    T_world_part = T_world_frame @ transform_of(item.pose)
    bodies = bodies_of_shape(item.shape, None, T_world_part, setting.scene.folder)

    def extent(axis: Array) -> tuple[float, float]:
        return -max(body.farthest(-axis) for body in bodies), max(body.farthest(axis) for body in bodies)

    placed = setting.placed
    low, high = extent(-DOWN)
    fingers = [matrix_from_rpy(*np.radians(one.rpy_deg)) @ np.array(one.axis) for one in placed.fingers]
    depth = min(DEPTH_M, 0.5 * (high - low)) if fingers else 0.0
    across = _level_axes(T_world_part[:3, :3])
    middle = sum((axis * (0.5 * sum(extent(axis))) for axis in across), np.zeros(3))
    # Which way the first finger opens, in the TCP; a tool without fingers turns in the same steps.
    opens = placed.T_flange_tcp[:3, :3].T @ fingers[0] if fingers else np.array([1.0, 0.0, 0.0])
    room = sum(placed.travel_m for _ in fingers)
    tries: list[tuple[bool, bool, float, float, Array]] = []
    for axis, sign in product(across, (1.0, -1.0)):
        R = _turned(opens, sign * axis)
        T = make_transform(R, middle + np.array([0.0, 0.0, high - depth]))
        low_side, high_side = extent(axis)
        width = round(high_side - low_side, 4) if fingers else 0.0
        reach = _joints_away(setting, T)
        tries.append((width > room and bool(fingers), not np.isfinite(reach), width, reach, T))
    best = min(tries, key=lambda one: one[:4])
    return InlinePoint(pose=_rounded(pose_of(inverse(T_world_frame) @ best[4])), frame=item.frame)


def _level_axes(R: Array) -> tuple[Array, Array]:
    """Return two level unit axes that a part lies along, at right angles."""
    flat = [axis - (axis @ DOWN) * DOWN for axis in R.T]
    longest = max(flat, key=lambda axis: round(float(np.linalg.norm(axis)), 6))
    x: Array = longest / np.linalg.norm(longest)
    y: Array = np.cross(-DOWN, x)
    return x, y


def _turned(opens: Array, axis: Array) -> Array:
    """Return the rotation of a TCP that points down, with its axis `opens` along a level axis of the world."""
    level = opens - np.array([0.0, 0.0, opens[2]])
    if np.linalg.norm(level) < 1e-6:
        level = np.array([1.0, 0.0, 0.0])
    x = level / np.linalg.norm(level)
    own = np.column_stack([x, np.cross([0.0, 0.0, 1.0], x), [0.0, 0.0, 1.0]])
    world = np.column_stack([axis, np.cross(DOWN, axis), DOWN])
    return world @ own.T


def _joints_away(setting: ProgramArm, T_world_tcp: Array) -> float:
    """Return how far the joints for a grip are from the first posture, radians; infinite: it is out of reach."""
    placed = setting.placed
    arm = placed.kinematics
    q = np.array(placed.model.posture(None, placed.arm), dtype=np.float64)
    away = np.inf
    for up_m in (CLEAR_M, 0.0):
        T = T_world_tcp.copy()
        T[2, 3] += up_m
        result = arm.ik(inverse(placed.T_world_base) @ T @ inverse(placed.T_flange_tcp), seed=q, variants=True)
        if result.unreachable is not None:
            return np.inf
        away = float(np.linalg.norm(np.array(result.solutions[0].q) - q))
    return round(away, 3)


def _rounded(pose: Pose) -> Pose:
    x, y, z = (round(value, 6) + 0.0 for value in pose.xyz)
    return Pose(xyz=(x, y, z), wxyz=pose.wxyz)
