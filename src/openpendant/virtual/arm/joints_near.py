"""joints_near: from a pose of the flange to joints, by steps from where the arm is."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from openpendant.kinematics import Arm

from .kernels.steer import solve_near

Array = NDArray[np.float64]


def joints_near(arm: Arm, T_base_flange: ArrayLike, near: ArrayLike) -> Array | None:
    """Return joints that bring the flange to a pose, or None where the steps from `near` do not lead there.

    Any number of joints; those of an arm with more than six move as little as they can. Limits are not checked.

    Args:
        arm: The arm.
        T_base_flange: (4, 4), metres.
        near: (n,) where the steps begin.
    """
    q = np.array(near, dtype=np.float64)
    T = np.array(T_base_flange, dtype=np.float64, order="C")
    return q if solve_near(arm.packed, T, q) else None
