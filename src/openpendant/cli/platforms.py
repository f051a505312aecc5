"""Platforms on the command line: where one stands for given x, y and heading."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from openpendant.errors import InputError, UnknownNameError

from .numbers import parse_numbers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from openpendant.robots import PlatformFacts, Robot


def platform_pose(
    robot: "Robot",
    platform: "PlatformFacts",
    words: Sequence[str],
    base: str | None,
    frame: str | None,
    *,
    degrees: bool,
) -> tuple[str, str, "NDArray[np.float64]"]:
    """Return base, frame and pose (4, 4): where a frame, else the body, is on the floor or in another frame.

    Raises:
        InputError: The numbers are not x, y and heading inside their limits.
        UnknownNameError: No frame has that name.
    """
    from openpendant.spatial import inverse

    values = parse_numbers(words, "q", len(platform.joints), ", ".join(platform.joints))
    joints: dict[str, float] = {}
    for name, typed in zip(platform.joints, values, strict=True):
        edge = robot.tree.edge(name)
        value = math.radians(typed) if degrees and edge.kind != "prismatic" else typed
        if not edge.lower <= value <= edge.upper:
            raise InputError(f"{name} is at {typed:g}; allowed: {edge.lower:g} … {edge.upper:g}")
        joints[name] = value
    poses = robot.link_poses(joints)
    base, frame = base or robot.facts.root, frame or platform.body
    for kind, name in (("base", base), ("frame", frame)):
        if name not in poses:
            raise UnknownNameError(kind, name, poses)
    return base, frame, inverse(poses[base]) @ poses[frame]
