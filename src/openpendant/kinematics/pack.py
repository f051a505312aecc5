"""Pack a chain into the one flat array that the kernels read."""

import numpy as np
from numpy.typing import NDArray

from .chain import Chain
from .kernels.forward import STRIDE, TAIL

Array = NDArray[np.float64]


def pack(
    chain: Chain, *, T_new_base: Array | None = None, joint: int | None = None, T_joint: Array | None = None
) -> Array:
    """Return the packed chain (see `kernels/forward.py`).

    Args:
        chain: The arm.
        T_new_base: The chain's base in another base; poses then come out in that one.
        joint: End after this joint, counted from the base, instead of at the flange; -1: no joint at all.
        T_joint: The end frame in the frame of that joint (default: the flange in the last joint).
    """
    count = chain.dof if joint is None else joint + 1
    last = chain.T_last_flange if T_joint is None else T_joint
    packed = np.empty(STRIDE * count + TAIL)
    T_turned = np.eye(4) if T_new_base is None else np.array(T_new_base)
    for i in range(count):
        turn = _turn_z_onto(chain.axis[i])
        T = T_turned @ chain.T_parent_joint[i]
        index = int(chain.order[i])
        k = STRIDE * i
        packed[k : k + 9] = (T[:3, :3] @ turn).ravel()
        packed[k + 9 : k + 12] = T[:3, 3]
        packed[k + 12 : k + 16] = (chain.prismatic[i], index, chain.lower[index], chain.upper[index])
        packed[k + 16 : k + 25] = turn.T.ravel()
        T_turned = np.eye(4)
        T_turned[:3, :3] = turn.T
    T = T_turned @ last
    packed[-TAIL:-3] = T[:3, :3].ravel()
    packed[-3:] = T[:3, 3]
    return packed


def _turn_z_onto(axis: Array) -> Array:
    """Return a rotation whose third column is `axis`; exact for axes along x, y or z."""
    if axis[2] == 1.0:
        return np.eye(3)
    helper = np.zeros(3)
    helper[int(np.argmin(np.abs(axis)))] = 1.0
    x = np.cross(helper, axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])
