"""Faults of single values: names that nothing has, and lengths, poses and joints that cannot be what they stand for."""

import math
from collections.abc import Collection, Iterator

from openpendant.documents import DocumentFault
from openpendant.kinematics import Arm
from openpendant.messages import Pose
from openpendant.said import Said, kind_word, name_hint, say
from openpendant.spatial import QUATERNION_TOLERANCE

FARTHEST_M = 50.0
"""Nothing of a cell is farther from its frame, or larger; numbers beyond are millimetres by mistake."""
SMALLEST_M = 1e-5
MOST_TURNS_RAD = 7.0
"""An angle beyond, out of its limits, may be in degrees."""


def pose_faults(pose: Pose, pointer: str, *, farthest: float = FARTHEST_M) -> Iterator[DocumentFault]:
    """Yield the faults of a pose whose numbers are not written as metres and a unit quaternion."""
    x, y, z = pose.xyz
    if not (-farthest <= x <= farthest and -farthest <= y <= farthest and -farthest <= z <= farthest):
        yield from length_faults(pose.xyz, f"{pointer}/xyz", farthest=farthest)
    w, i, j, k = pose.wxyz
    norm = math.sqrt(w * w + i * i + j * j + k * k)
    if not abs(norm - 1.0) <= QUATERNION_TOLERANCE:
        why = say(
            "fault.quaternion",
            wxyz=str(list(pose.wxyz)),
            norm=f"{norm:.8g}",
            tolerance=f"{QUATERNION_TOLERANCE:g}",
        )
        yield DocumentFault(f"{pointer}/wxyz", why)


def length_faults(values: tuple[float, ...], pointer: str, *, farthest: float = FARTHEST_M) -> Iterator[DocumentFault]:
    """Yield the faults of coordinates that are too far from the origin, metres."""
    for index, value in enumerate(values):
        if not abs(value) <= farthest:
            why = say("fault.too_far", value_m=value, most_m=farthest)
            yield DocumentFault(f"{pointer}/{index}", _perhaps_millimetres(why, value))


def size_faults(
    value: float, pointer: str, least: float = SMALLEST_M, most: float = FARTHEST_M
) -> Iterator[DocumentFault]:
    """Yield the fault of a length that is not between two others, metres."""
    if not least <= value <= most:
        why = say("fault.length", value_m=value, least_m=least, most_m=most)
        yield DocumentFault(pointer, _perhaps_millimetres(why, value))


def seconds_faults(value: float, pointer: str, most: float) -> Iterator[DocumentFault]:
    """Yield the fault of a time that is below zero or too long, seconds."""
    if not 0.0 <= value <= most:
        yield DocumentFault(pointer, say("fault.seconds", value_s=value, least_s=0.0, most_s=most))


def joint_faults(arm: Arm, robot: str, q: tuple[float, ...], pointer: str) -> Iterator[DocumentFault]:
    """Yield the faults of the joints of an arm: as many as it has, each inside its limits.

    Args:
        arm: Of the robot.
        robot: What it is called in messages.
        q: One for each joint, radians, metres where a joint slides.
        pointer: Where they stand.
    """
    if len(q) != arm.dof:
        yield DocumentFault(pointer, say("fault.joint_count", count=len(q), arm=arm.name, robot=robot, dof=arm.dof))
        return
    for index, value in enumerate(q):
        low, high = float(arm.limits_lower[index]), float(arm.limits_upper[index])
        if _is_inside(value, low, high) and not math.isinf(value):
            continue
        title = arm.joint_titles[index]
        why = say("fault.joint_limit", joint=title, value_rad=value, low_rad=low, high_rad=high)
        radians = math.radians(value)
        if _is_inside(radians, low, high) and abs(value) > MOST_TURNS_RAD:
            why = say("fault.degrees", why=why, write_rad=radians)
        yield DocumentFault(f"{pointer}/{index}", why)


def unknown_in_cell(kind: str, name: str, known: Collection[str]) -> Said:
    """Return that nothing of a kind, as "frame", has a name in this cell."""
    return say("fault.not_in_cell", kind=kind_word(kind), name=name, hint=name_hint(name, known))


def _is_inside(value: float, low: float, high: float) -> bool:
    return low - 1e-9 <= value <= high + 1e-9


def _perhaps_millimetres(why: Said, value: float) -> Said:
    if value > 1.0 and math.isfinite(value):
        return say("fault.millimetres", why=why, write_m=value / 1000.0)
    return why
