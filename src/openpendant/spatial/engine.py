"""Game engines: left-handed, Y up. Two mappings of their axes to a robot's (right-handed, Z up) are in use.

An engine pose is a position and a wxyz quaternion in the engine's own axes. A left-handed rotation
by a quaternion uses the same formula as a right-handed one; only the axes mean something else, so a
change of axes S (a reflection) maps a rotation matrix to S R Sᵀ, which is a proper rotation again.
"""

from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .checks import check_numbers, check_transform
from .quaternion import matrix_from_quaternion, quaternion_from_matrix
from .se3 import make_transform

Array = NDArray[np.float64]


class EngineAxes(Enum):
    """How the axes of a left-handed Y-up engine lie on the robot's axes. The value is S: p_robot = S p_engine."""

    SWAPPED = ((1, 0, 0), (0, 0, 1), (0, 1, 0))
    """robot (x, y, z) = engine (x, z, y)"""
    FACING = ((-1, 0, 0), (0, 0, -1), (0, 1, 0))
    """robot (x, y, z) = engine (-x, -z, y): the robot looks towards a viewer who looks along +z"""

    @property
    def matrix(self) -> Array:
        """The (3, 3) reflection S with p_robot = S p_engine."""
        return np.array(self.value, dtype=np.float64)


def transform_from_engine(position: ArrayLike, quaternion: ArrayLike, axes: EngineAxes) -> Array:
    """Return the (4, 4) robot-side pose of an engine pose.

    Args:
        position: (3,) metres in engine axes.
        quaternion: (4,) wxyz in engine axes.
        axes: How the engine's axes lie on the robot's.

    Raises:
        InputError: The position is not three finite numbers, or the quaternion not a unit quaternion.
    """
    S = axes.matrix
    return make_transform(S @ matrix_from_quaternion(quaternion) @ S.T, S @ check_numbers(position, "x, y, z"))


def engine_from_transform(T: ArrayLike, axes: EngineAxes) -> tuple[Array, Array]:
    """Return the engine-side position (3,) in metres and quaternion (4,) wxyz of a (4, 4) robot-side pose."""
    T = check_transform(T)
    S = axes.matrix
    return S.T @ T[:3, 3], quaternion_from_matrix(S.T @ T[:3, :3] @ S)
