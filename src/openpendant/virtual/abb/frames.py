"""Frames that programs give: RAPID's pose, tooldata and wobjdata as transforms in metres."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openpendant.dialects.rapid import RapidFailure
from openpendant.spatial import make_transform, matrix_from_quaternion

Array = NDArray[np.float64]
FARTHEST_MM, MOST_TURN = 1e6, 10.0
"""Larger numbers of a pose are none."""
_QUATERNION_OFF = 1e-3


def frame_of(pose: Sequence[Any]) -> Array:
    """Return the transform of RAPID's pose: mm and a quaternion, which is normalised.

    Raises:
        RapidFailure: ERR_ILLQUAT: not a quaternion; ERR_ARGVALERR: not finite, or too far away.
    """
    place, turn = np.array(pose[0], dtype=np.float64), np.array(pose[1], dtype=np.float64)
    if not (np.abs(place).max() <= FARTHEST_MM and np.abs(turn).max() <= MOST_TURN):
        raise RapidFailure("ERR_ARGVALERR", f"pose {pose[0]}, {pose[1]}; {FARTHEST_MM:g} mm at most are allowed")
    size = float(np.linalg.norm(turn))
    if not abs(size - 1.0) <= _QUATERNION_OFF:
        raise RapidFailure("ERR_ILLQUAT", f"an orientation of length {size:.4f}; 1 is allowed")
    return make_transform(matrix_from_quaternion(turn / size), place / 1000.0)


def frame_of_tool(tool: Any) -> Array:
    """Return the tool of tooldata in the controller's flange."""
    return frame_of(tool[1])


def frame_of_wobj(wobj: Any) -> Array:
    """Return T_base_object of wobjdata; the arm stands at the origin of the world."""
    return frame_of(wobj[3]) @ frame_of(wobj[4])
